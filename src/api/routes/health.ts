import Router from '@koa/router';
import type { ApiRouter, ApiState } from '../context.ts';

/** What the service needs, by name: true, or why it is not ready. */
export type Readiness = () => Promise<Record<string, true | string>>;

/** `/healthz`: the process answers. `/readyz`: everything that it needs does too, else 503 with each part named. */
export function healthRoutes(readiness: Readiness): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const checks = await readiness();
    const ready = Object.values(checks).every((check) => check === true);
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : 'unavailable', checks };
  });
  return router;
}
