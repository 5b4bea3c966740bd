import type { ApiMiddleware } from '../context.ts';
import { type Authenticator, authenticate, requireRole } from './authenticate.ts';
import { rateLimit, type RateLimits } from './rateLimit.ts';

export interface EnterDeps {
  keys: Authenticator;
  rateLimits: RateLimits;
}

/**
 * Every route of the API begins with these: a valid key, its rate limit, the role of a member (specification:
 * Authentication).
 */
export function enter({ keys, rateLimits }: EnterDeps, limit: 'create' | 'read'): ApiMiddleware[] {
  return [authenticate(keys, rateLimits), rateLimit(rateLimits, limit), requireRole('member')];
}
