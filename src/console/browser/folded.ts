import { normalizeText } from '../../contract/normalizeText.ts';

/** A text in lower case, and without accents. */
export const folded = (text: string) =>
  normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A folded text with letters and numbers only. Names of columns are compared in this form. */
export const bare = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '');

/** A text on one line, with one space between its words. */
export const oneLine = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
