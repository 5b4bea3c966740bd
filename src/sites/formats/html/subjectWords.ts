import { normalizeText } from '../../../contract/normalizeText.ts';
import { textOf } from './document.ts';
import type { Page } from './openPage.ts';

/** A text's words, without case, diacritics and punctuation, between single spaces. */
export const folded = (text: string) =>
  normalizeText(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const foldedWords = (text: string) => folded(text).split(' ').filter(Boolean);

/** The words at the end of a slug: they say what the page is about. */
export const endingWords = (slug: string) => foldedWords(slug.split('/').at(-1)!);

/** The words of a page's title and headlines. */
export const namingWords = ({ elements }: Page): Set<string> =>
  new Set(
    elements
      .filter(({ tagName }) => tagName === 'title' || tagName === 'h1')
      .flatMap((element) => foldedWords(textOf(element))),
  );
