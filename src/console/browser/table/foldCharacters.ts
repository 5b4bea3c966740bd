import { normalizeText } from '../../../contract/normalizeText.ts';

/** A text in lower case, and without accents. */
export const foldCharacters = (text: string) =>
  normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A folded text with letters and numbers only. Names of columns are compared in this form. */
export const bareText = (text: string) => foldCharacters(text).replace(/[^\p{L}\p{N}]/gu, '');

/** A text on one line, with one space between its words. */
export const singleLine = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
