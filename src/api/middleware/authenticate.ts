import ipaddr from 'ipaddr.js';
import { DomainError } from '../../errors.ts';
import { hasRole, roleTooLowMessage, type Role } from '../../contract/roles.ts';
import type { CallerIdentity } from '../../tasks/caller.ts';
import { type ApiContext, type ApiMiddleware, callerIdentity } from '../context.ts';
import { countRequest, type RateLimits } from './rateLimit.ts';

/** Finds the owner of an API key. null if the key is unknown, revoked or expired. */
export interface KeyAuthenticator {
  authenticate(token: string): Promise<CallerIdentity | null>;
  /** Finds the owner by the key's id. null if the key is unknown, revoked or expired. */
  identify(keyId: string): Promise<CallerIdentity | null>;
}

const bearerPattern = /^Bearer +([\w.~+/-]{1,200}=*)$/i;

/**
 * Requires a valid API key as a bearer token (docs/contract.md, section 3.1; RFC 6750), and sets
 * `ctx.state.identity` to its owner. A wrong key gets 401, and counts for the client's IP address,
 * which gets 429 when it is over the limit. A valid key is accepted from any address.
 */
export function authenticate(keys: KeyAuthenticator, limits: RateLimits): ApiMiddleware {
  return async function authenticate(ctx, next) {
    const token = bearerPattern.exec(ctx.get('Authorization'))?.[1];
    const identity = token === undefined ? null : await keys.authenticate(token);
    if (!identity) return refuseKey(ctx, limits, refusalReason(ctx.get('Authorization'), token));
    ctx.state.identity = identity;
    ctx.state.recheck = async () => {
      const currentIdentity = token === undefined ? null : await keys.authenticate(token);
      if (currentIdentity?.role !== identity.role) await refuseKey(ctx, limits, notInForce);
    };
    await next();
  };
}

/** One text for all cases, so that it does not reveal whether a key ever existed. */
const notInForce = 'the API key is unknown, revoked or expired';

function refusalReason(authorization: string, token: string | undefined): string {
  if (token !== undefined) return notInForce;
  return authorization === ''
    ? 'the request has no Authorization header'
    : 'the Authorization header does not have the form "Bearer <API key>"';
}

/** Requires that the key has at least the given role (docs/contract.md, section 3.3). */
export function requireRole(requiredRole: Role): ApiMiddleware {
  return async function requireRole(ctx, next) {
    const { role } = callerIdentity(ctx);
    if (!hasRole(role, requiredRole))
      throw new DomainError('FORBIDDEN', roleTooLowMessage(role, requiredRole));
    await next();
  };
}

/**
 * Counts a wrong key, link or session for the client's IP address, then refuses it.
 * @param reason must not reveal whether the key, link or session exists
 * @throws DomainError UNAUTHORIZED, or TOO_MANY_REQUESTS if the address is over the limit
 */
export async function refuseKey(
  ctx: ApiContext,
  limits: RateLimits,
  reason: string,
): Promise<never> {
  await countBadKey(ctx, limits);
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new DomainError('UNAUTHORIZED', 'The request has no valid key, link or session', {
    reason,
  });
}

/**
 * Counts a wrong key for the client's IP address.
 * @throws DomainError TOO_MANY_REQUESTS if the address is over the limit
 */
export async function countBadKey(ctx: ApiContext, limits: RateLimits): Promise<void> {
  const { allowed, resetSeconds } = await countRequest(limits.badKeys, networkOf(ctx.ip));
  if (allowed) return;
  ctx.set('Retry-After', String(resetSeconds));
  throw new DomainError('TOO_MANY_REQUESTS', 'Too many wrong API keys from this IP address');
}

/** The network of an IP address. An IPv6 customer has a whole /64, which counts as one address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsedAddress = ipaddr.process(address);
  return parsedAddress.kind() === 'ipv4'
    ? parsedAddress.toString()
    : parsedAddress.toByteArray().slice(0, 8).join('.');
}
