import { normalizeText } from '../../../contract/normalizeText.ts';

/** Letters and digits only: site generators change quotes, dashes and white space. */
export const foldLetters = (text: string): string =>
  normalizeText(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether the texts of a page contain any of the wanted ones. */
export function showsAny(pageTexts: string[], wantedTexts: string[]): boolean {
  const pageLetters = foldLetters(pageTexts.join(' '));
  return wantedTexts.some((wantedText) => pageLetters.includes(foldLetters(wantedText)));
}
