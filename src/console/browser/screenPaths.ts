const screen =
  /^\/(?:sign-in|sign-up|welcome|callbacks|(?:invitations|shared)\/[^/]+|(?:sites|tasks|settings)(?:\/.+)?)?$/;

/**
 * Whether a path of this host is the console's. The server has all others: the editor, the
 * reference.
 */
export const isScreen = (path: string) => screen.test(path);

/**
 * Where a person wanted to go before signing in: a path of this host, and nothing else.
 * @param here this host's origin
 */
export function nextOf(query: URLSearchParams, here: string): string {
  const next = query.get('next') ?? '/';
  if (!next.startsWith('/') || !URL.canParse(next, here)) return '/';
  const { origin, pathname, search } = new URL(next, here);
  // a path of two slashes would be another host's address
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/';
}
