import ipaddr from 'ipaddr.js';
import { DomainError } from '../../errors.ts';
import { hasRole, needsRole, type Role } from '../../contract/roles.ts';
import type { Identity } from '../../tasks/caller.ts';
import { type ApiContext, type ApiMiddleware, identityOf } from '../context.ts';
import { consume, type RateLimits } from './rateLimit.ts';

/** Finds out whose key a token is: null for an unknown, revoked or expired one. */
export interface Authenticator {
  authenticate(token: string): Promise<Identity | null>;
  /** The owner of a key by the key's id: null for an unknown, revoked or expired one. */
  identify(keyId: string): Promise<Identity | null>;
}

const bearer = /^Bearer +([\w.~+/-]{1,200}=*)$/i;

/**
 * Requires a valid API key as a bearer token (specification: Authentication; RFC 6750). A wrong key
 * is 401 and counts against the client's address; over the limit it is 429. A right key passes from
 * any address.
 */
export function authenticate(keys: Authenticator, limits: RateLimits): ApiMiddleware {
  return async function authenticate(ctx, next) {
    const token = bearer.exec(ctx.get('Authorization'))?.[1];
    const identity = token === undefined ? null : await keys.authenticate(token);
    if (!identity) return refuseKey(ctx, limits, reasonOf(ctx.get('Authorization'), token));
    ctx.state.identity = identity;
    ctx.state.recheck = async () => {
      const now = token === undefined ? null : await keys.authenticate(token);
      if (now?.role !== identity.role) await refuseKey(ctx, limits, notInForce);
    };
    await next();
  };
}

/** The same for a key that nobody has as for one that has ended. */
const notInForce = 'unknown, revoked or expired API key';

function reasonOf(authorization: string, token: string | undefined): string {
  if (token !== undefined) return notInForce;
  return authorization === ''
    ? 'no Authorization header'
    : 'the Authorization header is not "Bearer <API key>"';
}

/** Requires at least the given role of the key (specification: Authentication, 3). */
export function requireRole(least: Role): ApiMiddleware {
  return async function requireRole(ctx, next) {
    const { role } = identityOf(ctx);
    if (!hasRole(role, least)) throw new DomainError('FORBIDDEN', needsRole(role, least));
    await next();
  };
}

/**
 * Counts a wrong key, link or session against the client's address.
 * @param reason the same for what others have as for what nobody has
 */
export async function refuseKey(
  ctx: ApiContext,
  limits: RateLimits,
  reason: string,
): Promise<never> {
  await countBadKey(ctx, limits);
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new DomainError('UNAUTHORIZED', 'No valid key, link or session', { reason });
}

/** @throws DomainError TOO_MANY_REQUESTS where too many were counted */
export async function countBadKey(ctx: ApiContext, limits: RateLimits): Promise<void> {
  const { allowed, resetSeconds } = await consume(limits.badKeys, networkOf(ctx.ip));
  if (allowed) return;
  ctx.set('Retry-After', String(resetSeconds));
  throw new DomainError('TOO_MANY_REQUESTS', 'Too many wrong API keys from this address');
}

/** One IPv6 customer holds a whole /64: its addresses count as one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const ip = ipaddr.process(address);
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, 8).join('.');
}
