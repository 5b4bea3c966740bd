import type { Slot } from '../../sites/formats/page.ts';
import type { Edit } from '../text/replaceInSlot.ts';
import type { Span } from '../text/spans.ts';

const VOWEL = /^(?:[aeio]|u(?!ni|s[aeiu]|ti|k\b)|hour|honest|honou?r|heir)/iu;
const CONSONANT = /^(?:eu|one\b|once\b)/iu;
/**
 * Characters before the word that can hold the article: a character of up to two units, and `an `.
 */
const LONGEST = 5;

const takesAn = (word: string) =>
  (/^[AEFHILMNORSX](?:\p{Lu}|\b)/u.test(word) && /^\p{Lu}{2,3}\b/u.test(word)) ||
  (VOWEL.test(word) && !CONSONANT.test(word));

/**
 * Corrects the article before a replaced word: `an Austin baker` -> `a Lisbon baker`. Only if the
 * article was right before and is wrong now.
 */
export function articleEdit(plain: string, span: Span, text: string): Edit | null {
  const start = Math.max(0, span.from - LONGEST);
  const match = /(?<![\p{L}\p{N}'’])(an?)\s$/iu.exec(plain.slice(start, span.from));
  if (!match) return null;
  const article = match[1]!;
  const isAn = article.length === 2;
  if (takesAn(plain.slice(span.from, span.to)) !== isAn || takesAn(text) === isAn) return null;
  const fitting = isAn
    ? article[0]!
    : article + (article === 'A' && text === text.toUpperCase() ? 'N' : 'n');
  const from = start + match.index;
  return { from, to: from + article.length, text: fitting };
}

const LEAST_WORDS = 3;

/** Whether texts are in English, judged by articles and prepositions. */
export function isEnglish(slots: Slot[]): boolean {
  const words = slots.flatMap(
    ({ text }) => text.match(/\b(?:the|and|with|your|for|of)\b/giu) ?? [],
  );
  return words.length >= LEAST_WORDS;
}
