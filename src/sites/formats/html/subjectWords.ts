import { normalizeText } from '../../../contract/normalizeText.ts';
import { textContentOf } from './document.ts';
import type { HtmlPage } from './openHtmlPage.ts';

/** A text's words, without case, diacritics and punctuation, between single spaces. */
export const folded = (text: string) =>
  normalizeText(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words of a text in their `folded` form: `São Paulo!` gives `sao` and `paulo`. */
export const foldedWords = (text: string) => folded(text).split(' ').filter(Boolean);

/** The words at the end of a slug: they say what the page is about. */
export const endingWords = (slug: string) => foldedWords(slug.split('/').at(-1)!);

/** The words of a page's title and headlines. */
export const namingWords = ({ elements }: HtmlPage): Set<string> =>
  new Set(
    elements
      .filter(({ tagName }) => tagName === 'title' || tagName === 'h1')
      .flatMap((element) => foldedWords(textContentOf(element))),
  );
