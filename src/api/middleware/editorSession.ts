import type { Grant, Grants } from '../../editor/grants.ts';
import { DomainError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware, Identity } from '../context.ts';
import { type Authenticator, refuseKey } from './authenticate.ts';
import type { EnterDeps } from './enter.ts';

interface SessionDeps extends EnterDeps {
  editing: {
    grants: Grants;
    /** The address that clients use. */
    publicUrl(): URL;
  };
}

const isSecure = (publicUrl: URL) => publicUrl.protocol === 'https:';
/** Browsers take a cookie with this prefix over https only, so nothing that is sent in plain text can set it. */
const cookieName = (publicUrl: URL) => (isSecure(publicUrl) ? '__Secure-agent_editor' : 'agent_editor');

/** A cookie that only requests of the editor's own pages, for this task, carry. */
export function setSessionCookie(
  ctx: ApiContext,
  { taskId, token, seconds, publicUrl }: { taskId: string; token: string; seconds: number; publicUrl: URL },
): void {
  const attributes = [`Path=/edit/${taskId}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  ctx.set(
    'Set-Cookie',
    [`${cookieName(publicUrl)}=${token}`, ...attributes, ...(isSecure(publicUrl) ? ['Secure'] : [])].join('; '),
  );
}

/**
 * Requires the cookie of a session for the task in the path, whose key is still in force.
 * @throws DomainError UNAUTHORIZED without one, with an expired one, another task's, or one of a revoked key
 */
export function editorSession({ editing, keys, rateLimits }: SessionDeps): ApiMiddleware {
  return async function editorSession(ctx, next) {
    const taskId = /^\/edit\/([^/]*)/.exec(ctx.path)?.[1];
    const grant = editing.grants.read('session', ctx.cookies.get(cookieName(editing.publicUrl())) ?? '');
    const owner = grant?.taskId === taskId && grant ? await ownerOf(grant, keys) : null;
    if (!owner) return refuseKey(ctx, rateLimits);
    ctx.state.identity = { ...owner, keyId: `editor of ${taskId}` };
    await next();
  };
}

/** The owner of the key that a grant was made with; null where the key is not in force any more. */
export async function ownerOf(grant: Grant, keys: Authenticator): Promise<Identity | null> {
  const owner = await keys.identify(grant.keyId);
  return owner?.organizationId === grant.organizationId ? owner : null;
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
