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
 * Gives `replacement` the letter case of `foundText`, if it differs from that of `usualText`:
 * with AUSTIN found for Austin, Lisbon becomes LISBON.
 * @param foundText the words as the text has them
 * @param usualText the same words in their usual case
 */
export function matchLetterCase(foundText: string, usualText: string, replacement: string): string {
  if (foundText === usualText || foundText.toLowerCase() === foundText.toUpperCase())
    return replacement;
  if (foundText === foundText.toUpperCase() && foundText.length > 1)
    return replacement.toUpperCase();
  if (foundText === foundText.toLowerCase()) return lowerExceptAcronyms(replacement);
  return /^\p{Lu}/u.test(foundText) ? upperFirst(replacement) : replacement;
}
