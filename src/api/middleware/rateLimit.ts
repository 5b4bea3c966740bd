import type { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import type { Identity } from '../../tasks/caller.ts';
import { type ApiContext, type ApiMiddleware, identityOf } from '../context.ts';
import { createLateLimiter, createLimiter, type Limiter } from './limiter.ts';

const windowSeconds = 60;
const badKeysPerMinute = 30;
/** Of the forge of one site. */
const webhooksPerMinute = 600;
/**
 * Limits for the holders of one link: per address, and in all. `duration` is in seconds. An editor
 * session lasts two hours, so the `edit` limits are also the number of sessions at a time.
 */
const linkPolicies = {
  open: { atAddress: 60, inAll: 600, duration: windowSeconds },
  edit: { atAddress: 100, inAll: 500, duration: 2 * 60 * 60 },
};

/**
 * Requests of one network by OAuth. `duration` is in seconds. Hosted assistants refresh the tokens
 * of many people from one address.
 */
const oauthPolicies = {
  register: { points: 60, duration: 60 * 60 },
  token: { points: 600, duration: windowSeconds },
};

/**
 * The limits of one person's keys together, and of one organization's, as multiples of one key's
 * limit.
 */
export const shareOf = { person: 3, organization: 10 };

/** The limits of a key. The names also appear in the header fields. */
export type LimitName = 'create' | 'check' | 'read';
type ByName = Record<LimitName, Limiter>;

/** The limiters of the API: by key, person and organization, and by address for wrong keys. */
export interface RateLimits extends ByName {
  person: ByName;
  organization: ByName;
  badKeys: Limiter;
  webhooks: Limiter;
  oauth: Record<keyof typeof oauthPolicies, Limiter>;
  links: Record<keyof typeof linkPolicies, { atAddress: Limiter; inAll: Limiter }>;
}

interface Options {
  createPerMinute: number;
  readPerMinute: number;
  /**
   * The database in which all processes count together. Without it each process counts on its own.
   */
  pool?: Pool;
}

/**
 * Creates the limiters. With a pool they count in the database. While it is down, each process
 * counts on its own. Reads are far more than anything else, so the database hears of them later.
 */
export function createRateLimits({ createPerMinute, readPerMinute, pool }: Options): RateLimits {
  const build = (keyPrefix: string, points: number, duration = windowSeconds) =>
    createLimiter(storeOf({ keyPrefix, points, duration }, pool));
  const buildLate = (keyPrefix: string, points: number) =>
    createLateLimiter(storeOf({ keyPrefix, points, duration: windowSeconds }, pool));
  const buildLinks = (name: keyof typeof linkPolicies) => {
    const { atAddress, inAll, duration } = linkPolicies[name];
    return {
      atAddress: build(`link-${name}-address`, atAddress, duration),
      inAll: build(`link-${name}`, inAll, duration),
    };
  };
  const buildAll = (suffix = '', times = 1): ByName => ({
    create: build(`create${suffix}`, createPerMinute * times),
    check: build(`check${suffix}`, createPerMinute * times),
    read: buildLate(`read${suffix}`, readPerMinute * times),
  });
  return {
    ...buildAll(),
    person: buildAll('-person', shareOf.person),
    organization: buildAll('-organization', shareOf.organization),
    badKeys: build('badKeys', badKeysPerMinute),
    webhooks: build('webhooks', webhooksPerMinute),
    oauth: {
      register: build(
        'oauth-register',
        oauthPolicies.register.points,
        oauthPolicies.register.duration,
      ),
      token: build('oauth-token', oauthPolicies.token.points, oauthPolicies.token.duration),
    },
    links: { open: buildLinks('open'), edit: buildLinks('edit') },
  };
}

/** A store for counts, in the database if there is a pool. */
export function storeOf(
  options: { keyPrefix: string; points: number; duration: number },
  pool: Pool | undefined,
): RateLimiterAbstract {
  const memory = new RateLimiterMemory(options);
  if (!pool) return memory;
  const table = {
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  };
  return new RateLimiterPostgres({ ...options, ...table, insuranceLimiter: memory });
}

/** Counts one request. Fails only if the store fails and has no fallback. */
export async function consume(limiter: Limiter, key: string) {
  const { counted, msLeft } = await limiter.count(key);
  const remaining = Math.max(0, limiter.points - counted);
  return { allowed: counted <= limiter.points, remaining, resetSeconds: Math.ceil(msLeft / 1000) };
}

/**
 * The keys under which a request counts. A person's sessions count apart from the keys that the
 * person made and from the person's assistants, so that a program over its limit does not block the
 * console.
 */
export function scopesOf({ keyId, userId, countsFor, organizationId }: Identity) {
  if (userId !== undefined && countsFor === undefined)
    return { key: `${userId} ${organizationId}`, person: userId, organization: organizationId };
  return { key: keyId, person: `keys of ${countsFor ?? keyId}`, organization: organizationId };
}

/**
 * Limits requests by key (docs/contract.md, section 9), or by person for sessions; then by person
 * for all of the person's keys, and by organization. The header fields of the answer describe the
 * limit that is nearest to its end, as in the IETF draft "RateLimit header fields for HTTP"
 * (structured fields, RFC 9651).
 */
export function rateLimit(limits: RateLimits, name: LimitName): ApiMiddleware {
  return async function rateLimit(ctx, next) {
    const { key, person, organization } = scopesOf(identityOf(ctx));
    const state = await countEach([
      [name, limits[name], key],
      [`${name}-person`, limits.person[name], person],
      [`${name}-organization`, limits.organization[name], organization],
    ]);
    tell(ctx, state);
    if (!state.allowed)
      throw new DomainError('TOO_MANY_REQUESTS', `Over ${state.points} requests per minute`);
    await next();
  };
}

/** A limit's name, its limiter, and the key to count under. */
export type Count = [name: string, limiter: Limiter, key: string];

interface State {
  name: string;
  points: number;
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts a request in one limiter after the other, and stops at the first that refuses it. So a
 * client over one limit does not use up the limits that it shares with others.
 * @returns the limit that refused it, otherwise the one nearest to its end
 */
export async function countEach(counts: Count[]): Promise<State> {
  const states: State[] = [];
  for (const [name, limiter, key] of counts) {
    const state = { name, points: limiter.points, ...(await consume(limiter, key)) };
    if (!state.allowed) return state;
    states.push(state);
  }
  return states.reduce((nearest, state) => (state.remaining < nearest.remaining ? state : nearest));
}

/**
 * Counts a request as `countEach`.
 * @throws DomainError TOO_MANY_REQUESTS with the refusal and the seconds to wait
 */
export async function countOr(refusal: string, counts: Count[]): Promise<void> {
  const { allowed, resetSeconds } = await countEach(counts);
  if (!allowed)
    throw new DomainError('TOO_MANY_REQUESTS', refusal, {
      details: { retryAfterSeconds: Math.max(1, resetSeconds) },
    });
}

function tell(ctx: ApiContext, { name, points, remaining, resetSeconds, allowed }: State): void {
  ctx.set('RateLimit-Policy', `"${name}";q=${points};w=${windowSeconds}`);
  ctx.set('RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
  if (!allowed) ctx.set('Retry-After', String(Math.max(1, resetSeconds)));
}
