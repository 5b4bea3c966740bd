import { ADDRESS_HEADER } from '../../accounts/noteSignIns.ts';
import { DomainError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import type { SomeApiDeps } from '../apiDeps.ts';
import { countOrThrow, type RateLimits } from './rateLimit.ts';

/**
 * The session of a person who is signed in, in the console or the editor: a cookie that better-auth
 * (src/accounts) issues. Programs use API keys instead (authenticate.ts).
 */
export type SessionDeps = SomeApiDeps<'accounts' | 'rateLimits' | 'publicUrl'>;

/**
 * Requires the cookie of a valid session. A person's requests are limited like the reads of a key.
 */
export function requireSession({ accounts, rateLimits, publicUrl }: SessionDeps): ApiMiddleware {
  return async function requireSession(ctx, next) {
    const { session, cookies } = await accounts.session(webHeaders(ctx, publicUrl()));
    if (!session) throw new DomainError('UNAUTHORIZED', 'The request has no session');
    setCookies(ctx, cookies);
    ctx.state.session = session;
    await countPerson(session.userId, rateLimits);
    await next();
  };
}

/**
 * Counts a request of a person's session.
 * @throws DomainError TOO_MANY_REQUESTS
 */
export const countPerson = (userId: string, { read }: RateLimits): Promise<void> =>
  countOrThrow('Too many requests by the same person', [['read', read, `session of ${userId}`]]);

/** The header fields of a request that are passed on to better-auth (sign-in, sessions). */
export function webHeaders(ctx: ApiContext, publicUrl: URL): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: ctx.ip, origin: publicUrl.origin });
  for (const headerName of ['cookie', 'user-agent', 'content-type'])
    if (ctx.get(headerName)) headers.set(headerName, ctx.get(headerName));
  return headers;
}

export function setCookies(ctx: ApiContext, cookies: string[]): void {
  if (cookies.length > 0) ctx.append('Set-Cookie', cookies);
}

const isHttpsUrl = (publicUrl: URL) => publicUrl.protocol === 'https:';
/** Browsers accept a cookie with the `__Host-` prefix only over https, and for this host alone. */
const sessionCookieName = (name: string, publicUrl: URL) =>
  `${isHttpsUrl(publicUrl) ? '__Host-' : ''}agent_tasks.${name}`;

export const readCookie = (ctx: ApiContext, name: string, publicUrl: URL) =>
  ctx.cookies.get(sessionCookieName(name, publicUrl));

/** Sets a cookie with the same attributes as better-auth's. */
export function setOwnCookie(
  ctx: ApiContext,
  { name, value, seconds }: { name: string; value: string; seconds: number },
  publicUrl: URL,
): void {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax'];
  const cookieParts = [
    `${sessionCookieName(name, publicUrl)}=${value}`,
    ...attributes,
    ...(isHttpsUrl(publicUrl) ? ['Secure'] : []),
  ];
  ctx.append('Set-Cookie', cookieParts.join('; '));
}
