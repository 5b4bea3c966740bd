const screenPattern =
  /^\/(?:sign-in|sign-up|welcome|connect|callbacks|(?:invitations|shared)\/[^/]+|(?:sites|tasks|batches|settings)(?:\/.+)?)?$/;

/**
 * Whether the console shows this path of this host. The server answers all others, such as those of
 * the editor and the API reference.
 */
export const isScreen = (path: string) => screenPattern.test(path);

/**
 * The query's `next`: the path that a person wanted to open before signing in. `/` if `next` is not
 * a path of this service.
 * @param ownOrigin this service's origin
 */
export function nextScreenPath(query: URLSearchParams, ownOrigin: string): string {
  const requestedPath = query.get('next') ?? '/';
  if (!requestedPath.startsWith('/') || !URL.canParse(requestedPath, ownOrigin)) return '/';
  const { origin, pathname, search } = new URL(requestedPath, ownOrigin);
  // A path that begins with two slashes would lead to another host.
  return origin === ownOrigin && !pathname.startsWith('//') ? pathname + search : '/';
}
