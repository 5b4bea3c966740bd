import type { Role } from '../../contract/roles.ts';
import type { ApiMiddleware } from '../context.ts';
import type { RouteDeps } from '../apiDeps.ts';
import { authenticate, requireRole } from './authenticate.ts';
import { type LimitName, rateLimit } from './rateLimit.ts';

/**
 * The first middlewares of every API route: a valid key, its rate limit, its role
 * (docs/contract.md, section 3).
 * @param requiredRole the role that the route requires; default and minimum: member
 */
export function enter(
  { keys, rateLimits }: RouteDeps<never>,
  limit: LimitName,
  requiredRole: Exclude<Role, 'viewer'> = 'member',
): ApiMiddleware[] {
  return [authenticate(keys, rateLimits), rateLimit(rateLimits, limit), requireRole(requiredRole)];
}
