/** A URL from a forge or a host, if a link may open it: http and https. null for other texts. */
export function openableUrl(text: string): string | null {
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null;
}
