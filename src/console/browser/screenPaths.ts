const screen =
  /^\/(?:sign-in|sign-up|welcome|connect|callbacks|(?:invitations|shared)\/[^/]+|(?:sites|tasks|batches|settings)(?:\/.+)?)?$/;

/**
 * Whether the console shows this path of this host. The server answers all others, such as those of
 * the editor and the API reference.
 */
export const isScreen = (path: string) => screen.test(path);

/**
 * The query's `next`: where a person wanted to go before signing in. Always a path of this host,
 * `/` if `next` is none.
 * @param here this host's origin
 */
export function nextOf(query: URLSearchParams, here: string): string {
  const next = query.get('next') ?? '/';
  if (!next.startsWith('/') || !URL.canParse(next, here)) return '/';
  const { origin, pathname, search } = new URL(next, here);
  // A path that begins with two slashes would be another host's address.
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/';
}
