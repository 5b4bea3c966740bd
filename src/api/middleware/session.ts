import { ADDRESS_HEADER } from '../../accounts/signIns.ts';
import { DomainError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import type { Needs } from '../parts.ts';
import { consume, type RateLimits } from './rateLimit.ts';

export type SessionDeps = Needs<'accounts' | 'rateLimits' | 'publicUrl'>;

/**
 * Requires the cookie of a session that is in force. What one person asks for is limited like one
 * key's reads.
 */
export function requireSession({ accounts, rateLimits, publicUrl }: SessionDeps): ApiMiddleware {
  return async function requireSession(ctx, next) {
    const { session, cookies } = await accounts.session(webHeaders(ctx, publicUrl()));
    if (!session) throw new DomainError('UNAUTHORIZED', 'No session');
    setCookies(ctx, cookies);
    ctx.state.session = session;
    await countPerson(session.userId, rateLimits);
    await next();
  };
}

/** @throws DomainError TOO_MANY_REQUESTS */
export async function countPerson(userId: string, rateLimits: RateLimits): Promise<void> {
  const { allowed, resetSeconds } = await consume(rateLimits.read, `session of ${userId}`);
  if (!allowed)
    throw new DomainError('TOO_MANY_REQUESTS', 'Too many requests of one person', {
      details: { retryAfterSeconds: resetSeconds },
    });
}

/** What better-auth gets to know of a request's header: nothing that is not named here. */
export function webHeaders(ctx: ApiContext, publicUrl: URL): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: ctx.ip, origin: publicUrl.origin });
  for (const name of ['cookie', 'user-agent', 'content-type'])
    if (ctx.get(name)) headers.set(name, ctx.get(name));
  return headers;
}

export function setCookies(ctx: ApiContext, cookies: string[]): void {
  if (cookies.length > 0) ctx.append('Set-Cookie', cookies);
}

const isSecure = (publicUrl: URL) => publicUrl.protocol === 'https:';
/** Browsers take a cookie with this prefix over https only, for this host alone. */
const nameOf = (name: string, publicUrl: URL) =>
  `${isSecure(publicUrl) ? '__Host-' : ''}agent_tasks.${name}`;

export const readCookie = (ctx: ApiContext, name: string, publicUrl: URL) =>
  ctx.cookies.get(nameOf(name, publicUrl));

/** Sets a cookie beside those of better-auth, with their attributes. */
export function setOwnCookie(
  ctx: ApiContext,
  { name, value, seconds }: { name: string; value: string; seconds: number },
  publicUrl: URL,
): void {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax'];
  const cookie = [
    `${nameOf(name, publicUrl)}=${value}`,
    ...attributes,
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ];
  ctx.append('Set-Cookie', cookie.join('; '));
}
