/**
 * The path of this service to which an address leads, as browsers read it.
 * @param own the address of this service
 * @returns with query and fragment; null where the address leads elsewhere
 */
export function ownPath(address: string, own: URL): string | null {
  if (!URL.canParse(address, own.href)) return null;
  const { origin, pathname, search, hash } = new URL(address, own);
  // a path of two slashes would be another host's address
  return origin === own.origin && !pathname.startsWith('//') ? pathname + search + hash : null;
}
