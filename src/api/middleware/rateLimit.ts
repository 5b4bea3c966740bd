import type { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import type { CallerIdentity } from '../../tasks/caller.ts';
import { type ApiContext, type ApiMiddleware, callerIdentity } from '../context.ts';
import { createLateLimiter, createLimiter, type RequestLimiter } from './limiter.ts';

const windowSeconds = 60;
const badKeysPerMinute = 30;
/** Signed webhooks of the forge of one site. */
const webhooksPerMinute = 600;
/**
 * Limits for everybody who has one link: per IP address, and in total. `duration` is in seconds. An
 * editor session lasts two hours, so the `edit` limits also limit the number of open sessions.
 */
const linkPolicies = {
  open: { atAddress: 60, inAll: 600, duration: windowSeconds },
  edit: { atAddress: 100, inAll: 500, duration: 2 * 60 * 60 },
  review: { atAddress: 120, inAll: 600, duration: windowSeconds },
};

/**
 * Limits for OAuth requests from one network. `duration` is in seconds. Hosted assistants refresh
 * the tokens of many people from one address.
 */
const oauthPolicies = {
  register: { points: 60, duration: 60 * 60 },
  token: { points: 600, duration: windowSeconds },
};

/**
 * The limits of one person's keys together, and of one organization's, as multiples of one key's
 * limit.
 */
export const limitMultiples = { person: 3, organization: 10 };

/** The limits of a key. The names also appear in the header fields. */
export type LimitName = 'create' | 'check' | 'read';
type LimitersByName = Record<LimitName, RequestLimiter>;

/** The limiters of the API: by key, person and organization, and by address for wrong keys. */
export interface RateLimits extends LimitersByName {
  person: LimitersByName;
  organization: LimitersByName;
  badKeys: RequestLimiter;
  webhooks: RequestLimiter;
  oauth: Record<keyof typeof oauthPolicies, RequestLimiter>;
  links: Record<keyof typeof linkPolicies, { atAddress: RequestLimiter; inAll: RequestLimiter }>;
}

interface RateLimitOptions {
  createPerMinute: number;
  readPerMinute: number;
  /**
   * The database in which all processes count together. Without it each process counts on its own.
   */
  pool?: Pool;
}

/**
 * Creates the limiters. With a pool they count in the database. While it is down, each process
 * counts on its own. Reads are by far the most requests, so they are counted by the late limiter.
 */
export function createRateLimits({
  createPerMinute,
  readPerMinute,
  pool,
}: RateLimitOptions): RateLimits {
  const buildLimiter = (keyPrefix: string, points: number, duration = windowSeconds) =>
    createLimiter(createLimitStore({ keyPrefix, points, duration }, pool));
  const buildLateLimiter = (keyPrefix: string, points: number) =>
    createLateLimiter(createLimitStore({ keyPrefix, points, duration: windowSeconds }, pool));
  const buildLinkLimiters = (policyName: keyof typeof linkPolicies) => {
    const { atAddress, inAll, duration } = linkPolicies[policyName];
    return {
      atAddress: buildLimiter(`link-${policyName}-address`, atAddress, duration),
      inAll: buildLimiter(`link-${policyName}`, inAll, duration),
    };
  };
  const buildLimiters = (suffix = '', multiple = 1): LimitersByName => ({
    create: buildLimiter(`create${suffix}`, createPerMinute * multiple),
    check: buildLimiter(`check${suffix}`, createPerMinute * multiple),
    read: buildLateLimiter(`read${suffix}`, readPerMinute * multiple),
  });
  return {
    ...buildLimiters(),
    person: buildLimiters('-person', limitMultiples.person),
    organization: buildLimiters('-organization', limitMultiples.organization),
    badKeys: buildLimiter('badKeys', badKeysPerMinute),
    webhooks: buildLimiter('webhooks', webhooksPerMinute),
    oauth: {
      register: buildLimiter(
        'oauth-register',
        oauthPolicies.register.points,
        oauthPolicies.register.duration,
      ),
      token: buildLimiter('oauth-token', oauthPolicies.token.points, oauthPolicies.token.duration),
    },
    links: {
      open: buildLinkLimiters('open'),
      edit: buildLinkLimiters('edit'),
      review: buildLinkLimiters('review'),
    },
  };
}

/** A store for counts, in the database if there is a pool. */
export function createLimitStore(
  options: { keyPrefix: string; points: number; duration: number },
  pool: Pool | undefined,
): RateLimiterAbstract {
  const memoryStore = new RateLimiterMemory(options);
  if (!pool) return memoryStore;
  const tableOptions = {
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  };
  return new RateLimiterPostgres({ ...options, ...tableOptions, insuranceLimiter: memoryStore });
}

/** Counts one request. Fails only if the store fails and has no fallback. */
export async function countRequest(limiter: RequestLimiter, key: string) {
  const { counted, msLeft } = await limiter.count(key);
  const remaining = Math.max(0, limiter.points - counted);
  return { allowed: counted <= limiter.points, remaining, resetSeconds: Math.ceil(msLeft / 1000) };
}

/**
 * The keys under which a request counts. A person's sessions count apart from the keys that the
 * person made and from the person's assistants, so that a program over its limit does not block the
 * console.
 */
export function limitKeys({ keyId, userId, countsFor, organizationId }: CallerIdentity) {
  if (userId !== undefined && countsFor === undefined)
    return { key: `${userId} ${organizationId}`, person: userId, organization: organizationId };
  return { key: keyId, person: `keys of ${countsFor ?? keyId}`, organization: organizationId };
}

/**
 * Limits requests by key (docs/contract.md, section 9), or by person for sessions; then by person
 * for all of the person's keys, and by organization. The header fields of the response describe the
 * limit with the fewest requests left, as in the IETF draft "RateLimit header fields for HTTP"
 * (structured fields, RFC 9651): `RateLimit: "create";r=59;t=60`.
 */
export function rateLimit(limits: RateLimits, limitName: LimitName): ApiMiddleware {
  return async function rateLimit(ctx, next) {
    const { key, person, organization } = limitKeys(callerIdentity(ctx));
    const limitState = await countEach([
      [limitName, limits[limitName], key],
      [`${limitName}-person`, limits.person[limitName], person],
      [`${limitName}-organization`, limits.organization[limitName], organization],
    ]);
    setLimitHeaders(ctx, limitState);
    if (!limitState.allowed)
      throw new DomainError(
        'TOO_MANY_REQUESTS',
        `More than ${limitState.points} requests per minute`,
      );
    await next();
  };
}

/** A limit's name, its limiter, and the key to count under. */
export type LimiterCount = [name: string, limiter: RequestLimiter, key: string];

interface LimitState {
  name: string;
  points: number;
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts a request in one limiter after the other, and stops at the first that refuses it. So a
 * client over one limit does not use up the limits that it shares with others.
 * @returns the limit that refused it, otherwise the one with the fewest requests left
 */
export async function countEach(counts: LimiterCount[]): Promise<LimitState> {
  const passedStates: LimitState[] = [];
  for (const [limiterName, limiter, key] of counts) {
    const limitState = {
      name: limiterName,
      points: limiter.points,
      ...(await countRequest(limiter, key)),
    };
    if (!limitState.allowed) return limitState;
    passedStates.push(limitState);
  }
  return passedStates.reduce((nearest, limitState) =>
    limitState.remaining < nearest.remaining ? limitState : nearest,
  );
}

/**
 * Counts a request as `countEach`.
 * @param refusal the message of the error
 * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
 */
export async function countOrThrow(refusal: string, counts: LimiterCount[]): Promise<void> {
  const { allowed, resetSeconds } = await countEach(counts);
  if (!allowed)
    throw new DomainError('TOO_MANY_REQUESTS', refusal, {
      details: { retryAfterSeconds: Math.max(1, resetSeconds) },
    });
}

function setLimitHeaders(
  ctx: ApiContext,
  { name: limitName, points, remaining, resetSeconds, allowed }: LimitState,
): void {
  ctx.set('RateLimit-Policy', `"${limitName}";q=${points};w=${windowSeconds}`);
  ctx.set('RateLimit', `"${limitName}";r=${remaining};t=${resetSeconds}`);
  if (!allowed) ctx.set('Retry-After', String(Math.max(1, resetSeconds)));
}
