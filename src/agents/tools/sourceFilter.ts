import type { PageFile } from '../../contract/site.ts';
import type { PageSource } from '../../sites/formats/format.ts';

/**
 * Whether a page's source may contain `words`. A quick check that saves parsing most pages of a
 * large site. Never false for a page that shows the words.
 */
export function mayContain(source: string, words: string): boolean {
  const longest = (words.match(/[a-z0-9]+/gi) ?? []).sort((a, b) => b.length - a.length)[0];
  if (longest === undefined || source.includes('&#') || source.includes('\\u')) return true;
  const wanted = longest.toLowerCase();
  const lower = source.toLowerCase();
  return (
    lower.includes(wanted) ||
    lower.replace(/<[^>]*>?|&shy;|[\u00ad\u200b\u2060]/g, '').includes(wanted)
  );
}

/**
 * Whether a page may link to another page. Only pages below that page can link to it without its
 * name, as `./` or `../`.
 */
export function mayLeadTo({ path, source }: PageSource, { slug }: PageFile): boolean {
  const isEncoded = /%[3-7][0-9a-f]/i.test(source);
  return (
    isEncoded || `/${path}`.startsWith(`${slug}/`) || mayContain(source, slug.split('/').at(-1)!)
  );
}
