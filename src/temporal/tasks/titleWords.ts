import { normalizeText } from '../../contract/normalizeText.ts';

const MOST_WORDS = 20;
/** Characters of a title that are read. */
const LONGEST = 400;
/** Characters of a word: Temporal refuses a keyword over 255 bytes. */
const LONGEST_WORD = 60;

/** A title's words as lists of tasks search for them: in lower case, without accents. */
export function titleSearchWords(title: string): string[] {
  const plainTitle = normalizeText(title.slice(0, LONGEST), 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  const words = plainTitle.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, LONGEST_WORD).toWellFormed()))].slice(
    0,
    MOST_WORDS,
  );
}
