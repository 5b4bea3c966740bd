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

/**
 * Puts a text on one line for comparison: single spaces, Unicode form NFC, letter case unchanged.
 */
export const oneLine = (text: string): string =>
  normalizeText(text, 'NFC').replace(/\s+/g, ' ').trim();
