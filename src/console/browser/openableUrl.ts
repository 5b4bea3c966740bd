/** An address that a forge or a host named, if a browser may open it; null for any other text. */
export function openableUrl(text: string): string | null {
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null;
}
