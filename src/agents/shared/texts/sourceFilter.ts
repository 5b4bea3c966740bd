import type { PageFile } from '../../../contract/site.ts';
import type { PageSource } from '../../../sites/formats/format.ts';

/**
 * Whether a page's source may contain `words`. This quick check saves parsing most pages of a large
 * site. It may be true for a page without the words, but is never false for a page with them.
 */
export function mayContainWords(source: string, words: string): boolean {
  const longestWord = (words.match(/[a-z0-9]+/gi) ?? []).sort(
    (first, second) => second.length - first.length,
  )[0];
  if (longestWord === undefined || source.includes('&#') || source.includes('\\u')) return true;
  const lowerWord = longestWord.toLowerCase();
  const lowerSource = source.toLowerCase();
  return (
    lowerSource.includes(lowerWord) ||
    lowerSource.replace(/<[^>]*>?|&shy;|[\u00ad\u200b\u2060]/g, '').includes(lowerWord)
  );
}

/**
 * Whether a page may link to another page: a quick check, like `mayContainWords`, for the last part
 * of its slug. Only pages below the other page can link to it without that, as `./` or `../`.
 */
export function mayLinkTo({ path, source }: PageSource, { slug }: PageFile): boolean {
  const isEncoded = /%[3-7][0-9a-f]/i.test(source);
  return (
    isEncoded ||
    `/${path}`.startsWith(`${slug}/`) ||
    mayContainWords(source, slug.split('/').at(-1)!)
  );
}
