/**
 * Whether a page's source can show `words` at all: a quick look that saves parsing most pages of a large site.
 * Never false for a page that shows them.
 */
export function mayContain(source: string, words: string): boolean {
  const longest = (words.match(/[a-z0-9]+/gi) ?? []).sort((a, b) => b.length - a.length)[0];
  if (longest === undefined || source.includes('&#') || source.includes('\\u')) return true;
  const wanted = longest.toLowerCase();
  const lower = source.toLowerCase();
  return lower.includes(wanted) || lower.replace(/<[^>]*>/g, '').includes(wanted);
}
