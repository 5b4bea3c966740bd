import { wordSet } from '../../text/wordLists.ts';

const SMALL = wordSet('of the and in on at for to de da do dos das del di du y am an der');
const isAcronym = (word: string) => /\p{Lu}.*\p{Lu}/u.test(word);
export const upperFirst = (word: string) =>
  word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());

/** `rio de janeiro` -> `Rio de Janeiro`. */
export const capitalized = (text: string): string =>
  text
    .split(' ')
    .map((word, i) => (i > 0 && SMALL.has(word) ? word : upperFirst(word)))
    .join(' ');

/** `Brand Identity` -> `Brand identity`; acronyms stay. */
export const sentenceCase = (text: string): string =>
  text
    .split(' ')
    .map((word, i) => (i === 0 || isAcronym(word) ? word : word.toLowerCase()))
    .join(' ');

const lowerCase = (text: string) =>
  text === text.toUpperCase()
    ? text.toLowerCase()
    : text
        .split(' ')
        .map((word) => (isAcronym(word) ? word : word.toLowerCase()))
        .join(' ');

/**
 * Gives `replacement` the letter case of `found`, if it differs from that of `known`: with AUSTIN
 * found for Austin, Lisbon becomes LISBON.
 * @param found the words as the text has them
 * @param known the same words in their usual case
 */
export function inCaseOf(found: string, known: string, replacement: string): string {
  if (found === known || found.toLowerCase() === found.toUpperCase()) return replacement;
  if (found === found.toUpperCase() && found.length > 1) return replacement.toUpperCase();
  if (found === found.toLowerCase()) return lowerCase(replacement);
  return /^\p{Lu}/u.test(found) ? upperFirst(replacement) : replacement;
}
