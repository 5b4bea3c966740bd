import transliterate from '@sindresorhus/transliterate';
import { normalizeText } from '../../contract/normalizeText.ts';

/** A text's words, without case, diacritics and punctuation, between single spaces. */
export const folded = (text: string) =>
  normalizeText(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const NOT_ASCII = /[^\0-\x7f]/;
/** Letters that one spelling of a word has, and another leaves out: `Muenchen`, `Aarhus`. */
const SECOND_LETTER = /(?<=[aou])e|(?<=a)a/g;

/**
 * The words of a text in a form in which texts and slugs can be compared: `São Paulo!` gives `sao`
 * and `paulo`, and `München`, `munchen` and `muenchen` all give `munchen`.
 */
export const foldedWords = (text: string): string[] =>
  folded(NOT_ASCII.test(text) ? transliterate(text) : text)
    .replace(SECOND_LETTER, '')
    .split(' ')
    .filter(Boolean);

/** The words at the end of a slug: they say what the page is about. */
export const endingWords = (slug: string) => foldedWords(slug.split('/').at(-1)!);
