import type { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import { type ApiContext, type ApiMiddleware, identityOf } from '../context.ts';
import { createLimiter, type Limiter } from './limiter.ts';

const windowSeconds = 60;
const badKeysPerMinute = 30;

/** What the requests of a key are counted for; each name is its policy's in the header fields. */
export type LimitName = 'create' | 'check' | 'read';

/** The limiters of the API: by key, and wrong keys by address. */
export type RateLimits = Record<LimitName | 'badKeys', Limiter>;

interface Options {
  createPerMinute: number;
  readPerMinute: number;
  /** Counts are shared by all processes of this database; without it they are this process's own. */
  pool?: Pool;
}

/**
 * Builds the limiters. With a pool they count in the database. While that is down, each process counts on its own.
 */
export function createRateLimits({ createPerMinute, readPerMinute, pool }: Options): RateLimits {
  const build = (keyPrefix: string, points: number) =>
    createLimiter(storeOf({ keyPrefix, points, duration: windowSeconds }, pool));
  return {
    create: build('create', createPerMinute),
    check: build('check', createPerMinute),
    read: build('read', readPerMinute),
    badKeys: build('badKeys', badKeysPerMinute),
  };
}

/** A store of counts, in the database where there is a pool. */
export function storeOf(
  options: { keyPrefix: string; points: number; duration: number },
  pool: Pool | undefined,
): RateLimiterAbstract {
  const memory = new RateLimiterMemory(options);
  if (!pool) return memory;
  const table = { storeClient: pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
  return new RateLimiterPostgres({ ...options, ...table, insuranceLimiter: memory });
}

/** Counts one request of `key`. Fails only when the store fails and nothing stands in for it. */
export async function consume(limiter: Limiter, key: string) {
  const { counted, msLeft } = await limiter.count(key);
  const remaining = Math.max(0, limiter.points - counted);
  return { allowed: counted <= limiter.points, remaining, resetSeconds: Math.ceil(msLeft / 1000) };
}

/**
 * Limits the requests of a key (specification: Limits), or of all keys that one person's sessions minted. Tells the
 * client with the header fields of the IETF draft "RateLimit header fields for HTTP", written as structured fields
 * (RFC 9651).
 */
export function rateLimit(limits: RateLimits, name: LimitName): ApiMiddleware {
  const limiter = limits[name];
  return async function rateLimit(ctx, next) {
    const { keyId, userId, organizationId } = identityOf(ctx);
    const state = await consume(limiter, userId === undefined ? keyId : `${userId} ${organizationId}`);
    tell(ctx, name, limiter.points, state);
    if (!state.allowed) throw new DomainError('TOO_MANY_REQUESTS', `Over ${limiter.points} requests per minute`);
    await next();
  };
}

function tell(ctx: ApiContext, name: string, points: number, state: Awaited<ReturnType<typeof consume>>): void {
  ctx.set('RateLimit-Policy', `"${name}";q=${points};w=${windowSeconds}`);
  ctx.set('RateLimit', `"${name}";r=${state.remaining};t=${state.resetSeconds}`);
  if (!state.allowed) ctx.set('Retry-After', String(Math.max(1, state.resetSeconds)));
}
