import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { SpanEdit } from '../text/replaceInSlot.ts';
import type { TextSpan } from '../text/textSpans.ts';

const VOWEL_SOUND = /^(?:[aeio]|u(?!ni|s[aeiu]|ti|k\b)|hour|honest|honou?r|heir)/iu;
const CONSONANT_SOUND = /^(?:eu|one\b|once\b)/iu;
/**
 * Characters before the word that can hold the article: a character of up to two units, and `an `.
 */
const MAX_ARTICLE_LENGTH = 5;

const takesAn = (word: string) =>
  (/^[AEFHILMNORSX](?:\p{Lu}|\b)/u.test(word) && /^\p{Lu}{2,3}\b/u.test(word)) ||
  (VOWEL_SOUND.test(word) && !CONSONANT_SOUND.test(word));

/**
 * Corrects the article before a replaced word: `an Austin baker` -> `a Lisbon baker`. Only if the
 * article was right before and is wrong now.
 */
export function correctArticle(plain: string, span: TextSpan, text: string): SpanEdit | null {
  const start = Math.max(0, span.from - MAX_ARTICLE_LENGTH);
  const match = /(?<![\p{L}\p{N}'’])(an?)\s$/iu.exec(plain.slice(start, span.from));
  if (!match) return null;
  const article = match[1]!;
  const isAn = article.length === 2;
  if (takesAn(plain.slice(span.from, span.to)) !== isAn || takesAn(text) === isAn) return null;
  const correctedArticle = isAn
    ? article[0]!
    : article + (article === 'A' && text === text.toUpperCase() ? 'N' : 'n');
  const from = start + match.index;
  return { from, to: from + article.length, text: correctedArticle };
}

const LEAST_WORDS = 3;

/** Whether texts are in English, judged by articles and prepositions. */
export function isEnglishPage(slots: TextSlot[]): boolean {
  const words = slots.flatMap(
    ({ text }) => text.match(/\b(?:the|and|with|your|for|of)\b/giu) ?? [],
  );
  return words.length >= LEAST_WORDS;
}
