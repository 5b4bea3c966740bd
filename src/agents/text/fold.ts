import { normalizeText } from '../../contract/normalizeText.ts';

const LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** Folds a text for comparison: lower case, without diacritics. `São` becomes `sao`. */
export const fold = (text: string): string =>
  normalizeText(normalizeText(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase(), 'NFC').replace(
    /[ßøłđðþæœı]/gu,
    (letter) => LETTERS[letter]!,
  );

/**
 * Like `fold`, and replaces each run of other characters than letters and digits by one space.
 * `sao-paulo` and `São  Paulo` become `sao paulo`.
 */
export const foldWords = (text: string): string => {
  const words = isAscii(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
    : fold(text).replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
};

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Marks that a page may have instead of the first one, which a keyboard types. */
export const alikeMarks = ["'’‘‛′´`ʼ", '"“”„‟″', '-‐‑‒–—−'];
const ALIKE = new RegExp(alikeMarks.map((marks) => `([${marks}])`).join('|'), 'gu');
/** Soft hyphens, and spaces and joiners without width: they only say where a line may break. */
export const allInvisible = /[\u00AD\u200B\u2060]/g;

/** A text of the same length with the marks that a keyboard types. */
export const plainMarks = (text: string): string =>
  text.replace(ALIKE, (_, ...groups: unknown[]) => alikeMarks[groups.findIndex(Boolean)]![0]!);

/**
 * Puts a text on one line for comparison: single spaces, the marks that a keyboard types, Unicode
 * form NFC, letter case unchanged.
 */
export const oneLine = (text: string): string =>
  plainMarks(normalizeText(text, 'NFC').replace(allInvisible, '')).replace(/\s+/g, ' ').trim();
