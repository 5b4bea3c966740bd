import { normalizeText } from '../contract/normalizeText.ts';

/** Words that are compared together: a phrase of so many is rarely the same by chance. */
const PHRASE = 3;

/**
 * The share of a text's words that stand in no phrase of other texts: how much of a page is its
 * own. Phrases of three words, as in the resemblance of documents by their shingles (Broder, 1997).
 * @param others the phrases of the other texts
 * @returns 0 to 1; 1 for a text without words
 */
export function ownShare(text: string, others: Phrases[]): number {
  const words = wordsOf(text);
  if (words.length === 0) return 1;
  const shared = new Set<number>();
  for (const { at, phrase } of phrasesIn(words))
    if (others.some((other) => other.has(phrase)))
      for (let word = at; word < at + PHRASE; word++) shared.add(word);
  return (words.length - shared.size) / words.length;
}

/** Phrases, to look up one of them. */
export type Phrases = Pick<ReadonlySet<string>, 'has'>;

/** The phrases of a text, for comparisons with it. */
export const phrasesOf = (text: string): ReadonlySet<string> =>
  new Set([...phrasesIn(wordsOf(text))].map(({ phrase }) => phrase));

function* phrasesIn(words: string[]) {
  for (let at = 0; at + PHRASE <= words.length; at++)
    yield { at, phrase: words.slice(at, at + PHRASE).join(' ') };
}

const wordsOf = (text: string): string[] =>
  normalizeText(text.toLowerCase(), 'NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
