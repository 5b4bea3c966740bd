import { LRUCache } from 'lru-cache';
import type { ApiRouter } from '../context.ts';
import { createRouter } from '../router.ts';

/**
 * Reads the state of each part that the service needs, such as the database, by its name: true, or
 * the reason why it is not ready.
 */
export type ReadinessReader = () => Promise<Record<string, true | string>>;

const CACHED_MS = 1_000;

/**
 * `/healthz`: 200 if the process responds. `/readyz`: 200 if all parts that the service needs are
 * ready, otherwise 503 with the state of each. They need no key, so the result is cached for a
 * second.
 * @param clock returns the time in milliseconds
 */
export function healthRoutes(
  readiness: ReadinessReader,
  clock: { now(): number } = performance,
): ApiRouter {
  const router = createRouter();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  const cachedChecks = new LRUCache<'checks', Awaited<ReturnType<ReadinessReader>>>({
    max: 1,
    ttl: CACHED_MS,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: readiness,
  });
  router.get('/readyz', async (ctx) => {
    const checks = await cachedChecks.forceFetch('checks');
    const isReady = Object.values(checks).every((check) => check === true);
    ctx.status = isReady ? 200 : 503;
    if (!isReady) ctx.set('Retry-After', String(CACHED_MS / 1_000));
    ctx.body = { status: isReady ? 'ready' : 'unavailable', checks };
  });
  return router;
}
