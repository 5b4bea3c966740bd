const screen =
  /^\/(?:sign-in|sign-up|welcome|callbacks|(?:invitations|shared)\/[^/]+|(?:sites|tasks|settings)(?:\/.+)?)?$/;

/** Whether a path of this host is the console's. The server has all others: the editor, the reference. */
export const isScreen = (path: string) => screen.test(path);

/** Only for taking a path apart: no host has this name. */
const nowhere = 'http://console.invalid';

/** Where a person wanted to go before signing in: a path of this host, and nothing else. */
export function nextOf(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  if (!next.startsWith('/') || !URL.canParse(next, nowhere)) return '/';
  const { origin, pathname, search } = new URL(next, nowhere);
  // a path of two slashes would be another host's address
  return origin === nowhere && !pathname.startsWith('//') ? pathname + search : '/';
}
