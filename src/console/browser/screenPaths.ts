const screenPattern =
  /^\/(?:sign-in|sign-up|welcome|connect|callbacks|(?:invitations|shared)\/[^/]+|(?:sites|tasks|batches|settings)(?:\/.+)?)?$/;

/**
 * Whether the console shows this path of this host. The server answers all others, such as those of
 * the editor and the API reference.
 */
export const isScreen = (path: string) => screenPattern.test(path);

/**
 * The query's `next`: where a person wanted to go before signing in. Always a path of this host,
 * `/` if `next` is none.
 * @param ownOrigin this host's origin
 */
export function nextScreenPath(query: URLSearchParams, ownOrigin: string): string {
  const requestedPath = query.get('next') ?? '/';
  if (!requestedPath.startsWith('/') || !URL.canParse(requestedPath, ownOrigin)) return '/';
  const { origin, pathname, search } = new URL(requestedPath, ownOrigin);
  // A path that begins with two slashes would be another host's address.
  return origin === ownOrigin && !pathname.startsWith('//') ? pathname + search : '/';
}
