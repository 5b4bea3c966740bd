import { diffArrays } from 'diff';
import { overlaps, type Span } from './spans.ts';

export const wordsOf = (text: string): Span[] =>
  [...text.matchAll(/\S+/gu)].map(({ index, 0: word }) => ({
    from: index,
    to: index + word.length,
  }));

/**
 * Texts that differ in more words are not aligned: the work grows with the square of this number.
 */
const EDITS = 1_000;

/** Where a span of an old text lies in a new one, according to the words that both texts share. */
export interface Alignment {
  /** New words between the nearest shared words on both sides of the span. */
  between: Span[];
  /** Whether the span was all of the old text between those two shared words. */
  isExact: boolean;
  /** The nearest shared word before the span, in the new text. */
  before: Span | null;
  after: Span | null;
}

/**
 * Aligns two texts by their longest common sequence of words.
 * @returns the alignment of any span of the old text
 */
export function alignWords(old: string, plain: string): (home: Span) => Alignment {
  const oldWords = wordsOf(old);
  const newWords = wordsOf(plain);
  const kept = keptWords(old, oldWords, plain, newWords);
  return (home) => alignmentOf(home, oldWords, newWords, kept);
}

function alignmentOf(
  home: Span,
  oldWords: Span[],
  newWords: Span[],
  kept: Map<number, number>,
): Alignment {
  const first = oldWords.findIndex((word) => word.to > home.from);
  const start = first === -1 ? oldWords.length : first;
  const own = oldWords.filter((word) => overlaps(word, home)).length;
  const left = [...kept.keys()].filter((index) => index < start).at(-1);
  const right = [...kept.keys()].find((index) => index >= start + own);
  const newLeft = left === undefined ? -1 : kept.get(left)!;
  const newRight = right === undefined ? newWords.length : kept.get(right)!;
  return {
    between: newWords.slice(newLeft + 1, newRight),
    isExact: (left ?? -1) === start - 1 && (right ?? oldWords.length) === start + own,
    before: newWords[newLeft] ?? null,
    after: newWords[newRight] ?? null,
  };
}

/** Maps the index of each shared word in the old text to its index in the new one. */
function keptWords(
  old: string,
  oldWords: Span[],
  plain: string,
  newWords: Span[],
): Map<number, number> {
  const word = (text: string) => (span: Span) => bare(text.slice(span.from, span.to));
  const kept = new Map<number, number>();
  let [i, j] = [0, 0];
  const changes =
    diffArrays(oldWords.map(word(old)), newWords.map(word(plain)), { maxEditLength: EDITS }) ?? [];
  for (const change of changes) {
    if (!change.added && !change.removed)
      for (let k = 0; k < change.value.length; k++) kept.set(i + k, j + k);
    if (!change.added) i += change.value.length;
    if (!change.removed) j += change.value.length;
  }
  return kept;
}

const bare = (word: string) =>
  /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(word.toLowerCase())?.[0] ?? word;
