import { wordSet } from '../../../text/wordLists.ts';

const SMALL_WORDS = wordSet('of the and in on at for to de da do dos das del di du y am an der');
const isAcronym = (word: string) => /\p{Lu}.*\p{Lu}/u.test(word);
export const upperFirst = (word: string) =>
  word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());

/** `rio de janeiro` -> `Rio de Janeiro`. */
export const capitalizeWords = (text: string): string =>
  text
    .split(' ')
    .map((word, index) => (index > 0 && SMALL_WORDS.has(word) ? word : upperFirst(word)))
    .join(' ');

/** `Brand Identity` -> `Brand identity`; acronyms stay. */
export const toSentenceCase = (text: string): string =>
  text
    .split(' ')
    .map((word, index) => (index === 0 || isAcronym(word) ? word : word.toLowerCase()))
    .join(' ');

const lowerExceptAcronyms = (text: string) =>
  text === text.toUpperCase()
    ? text.toLowerCase()
    : text
        .split(' ')
        .map((word) => (isAcronym(word) ? word : word.toLowerCase()))
        .join(' ');

/**
 * Gives `replacement` the letter case of `foundWords`, if it differs from that of `usualWords`:
 * with AUSTIN found for Austin, Lisbon becomes LISBON.
 * @param foundWords the words as the text has them
 * @param usualWords the same words in their usual case
 */
export function matchLetterCase(
  foundWords: string,
  usualWords: string,
  replacement: string,
): string {
  if (foundWords === usualWords || foundWords.toLowerCase() === foundWords.toUpperCase())
    return replacement;
  if (foundWords === foundWords.toUpperCase() && foundWords.length > 1)
    return replacement.toUpperCase();
  if (foundWords === foundWords.toLowerCase()) return lowerExceptAcronyms(replacement);
  return /^\p{Lu}/u.test(foundWords) ? upperFirst(replacement) : replacement;
}
