import type { Grants } from '../../editor/grants.ts';
import { DomainError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { refuseKey } from './authenticate.ts';
import type { RateLimits } from './rateLimit.ts';

const name = 'agent_editor';

/** A cookie that only requests of the editor's own pages, for this task, carry. */
export function setSessionCookie(
  ctx: ApiContext,
  { taskId, token, seconds, secure }: { taskId: string; token: string; seconds: number; secure: boolean },
): void {
  const attributes = [`Path=/edit/${taskId}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  ctx.set('Set-Cookie', [`${name}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; '));
}

/**
 * Requires the cookie of a session for the task in the path.
 * @throws DomainError UNAUTHORIZED without one, with an expired one, or with another task's
 */
export function editorSession(grants: Grants, limits: RateLimits): ApiMiddleware {
  return async function editorSession(ctx, next) {
    const taskId = /^\/edit\/([^/]*)/.exec(ctx.path)?.[1];
    const grant = grants.read('session', ctx.cookies.get(name) ?? '');
    if (grant?.taskId !== taskId || !grant) return refuseKey(ctx, limits);
    ctx.state.identity = { keyId: `editor of ${grant.taskId}`, organizationId: grant.organizationId, role: 'member' };
    await next();
  };
}

/**
 * Refuses writing requests that another site's page made. Browsers name the page's site in `Origin` (Fetch standard,
 * "Origin header").
 * @param publicUrl the address that clients use
 */
export function sameOrigin(publicUrl: () => URL): ApiMiddleware {
  return async function sameOrigin(ctx, next) {
    const origin = URL.parse(ctx.get('Origin'));
    if (origin === null || (origin.origin !== publicUrl().origin && origin.host !== ctx.host))
      throw new DomainError('FORBIDDEN', 'Forbidden: the request must come from a page of this service');
    await next();
  };
}
