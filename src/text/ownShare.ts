import { normalizeText } from '../contract/normalizeText.ts';

/** The words of a phrase. Two texts rarely have a phrase of three words in common by chance. */
const PHRASE = 3;

/**
 * How much of a page's text is its own: the share of its words that are in no phrase of other
 * pages. Compares phrases of three words, as in the resemblance of documents by their shingles
 * (Broder, 1997).
 * @param otherPhrases the phrases of the other texts
 * @returns 0 to 1; 1 for a text without words
 */
export function shareOfOwnWords(text: string, otherPhrases: PhraseLookup[]): number {
  const words = wordsForPhrases(text);
  if (words.length === 0) return 1;
  const sharedWords = new Set<number>();
  for (const { at, phrase } of phrasesIn(words))
    if (otherPhrases.some((phraseSet) => phraseSet.has(phrase)))
      for (let word = at; word < at + PHRASE; word++) sharedWords.add(word);
  return (words.length - sharedWords.size) / words.length;
}

/** The phrases of a text. */
export type PhraseLookup = Pick<ReadonlySet<string>, 'has'>;

/** The phrases of a text, for comparisons with it. */
export const phrasesOf = (text: string): ReadonlySet<string> =>
  new Set([...phrasesIn(wordsForPhrases(text))].map(({ phrase }) => phrase));

function* phrasesIn(words: string[]) {
  for (let at = 0; at + PHRASE <= words.length; at++)
    yield { at, phrase: words.slice(at, at + PHRASE).join(' ') };
}

const wordsForPhrases = (text: string): string[] =>
  normalizeText(text.toLowerCase(), 'NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
