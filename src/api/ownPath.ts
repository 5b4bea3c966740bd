import { parseUrl } from '../contract/text/parseUrl.ts';

/**
 * Resolves a URL or path to a path of this service, as browsers do.
 * @param ownUrl this service's base URL
 * @returns the path with query and fragment; null if it leads to another host
 */
export function ownPath(address: string, ownUrl: URL): string | null {
  const url = parseUrl(address, ownUrl.href);
  if (url === null) return null;
  const { origin, pathname, search, hash } = url;
  // a path that begins with two slashes would be read as another host
  return origin === ownUrl.origin && !pathname.startsWith('//') ? pathname + search + hash : null;
}
