import { diffArrays } from 'diff';
import { doSpansOverlap, type TextSpan } from './textSpans.ts';

export const findWordSpans = (text: string): TextSpan[] =>
  [...text.matchAll(/\S+/gu)].map(({ index, 0: word }) => ({
    from: index,
    to: index + word.length,
  }));

/**
 * Texts that differ in more words are not aligned: the work grows with the square of this number.
 */
const MAX_EDITS = 1_000;

/** Where a span of an old text lies in a new one, according to the words that both texts share. */
export interface WordAlignment {
  /** New words between the nearest shared words on both sides of the span. */
  between: TextSpan[];
  /** Whether the span was all of the old text between those two shared words. */
  isExact: boolean;
  /** The nearest shared word before the span, in the new text. */
  before: TextSpan | null;
  after: TextSpan | null;
}

/**
 * Aligns two texts by their longest common sequence of words.
 * @returns the alignment of any span of the old text
 */
export function alignWords(oldText: string, newText: string): (oldSpan: TextSpan) => WordAlignment {
  const oldWords = findWordSpans(oldText);
  const newWords = findWordSpans(newText);
  const sharedWords = matchSharedWords(oldText, oldWords, newText, newWords);
  return (oldSpan) => alignSpan(oldSpan, oldWords, newWords, sharedWords);
}

function alignSpan(
  oldSpan: TextSpan,
  oldWords: TextSpan[],
  newWords: TextSpan[],
  sharedWords: Map<number, number>,
): WordAlignment {
  const firstIndex = oldWords.findIndex((word) => word.to > oldSpan.from);
  const start = firstIndex === -1 ? oldWords.length : firstIndex;
  const spanWordCount = oldWords.filter((word) => doSpansOverlap(word, oldSpan)).length;
  const sharedBefore = [...sharedWords.keys()].filter((index) => index < start).at(-1);
  const sharedAfter = [...sharedWords.keys()].find((index) => index >= start + spanWordCount);
  const newBefore = sharedBefore === undefined ? -1 : sharedWords.get(sharedBefore)!;
  const newAfter = sharedAfter === undefined ? newWords.length : sharedWords.get(sharedAfter)!;
  return {
    between: newWords.slice(newBefore + 1, newAfter),
    isExact:
      (sharedBefore ?? -1) === start - 1 &&
      (sharedAfter ?? oldWords.length) === start + spanWordCount,
    before: newWords[newBefore] ?? null,
    after: newWords[newAfter] ?? null,
  };
}

/** Maps the index of each shared word in the old text to its index in the new one. */
function matchSharedWords(
  oldText: string,
  oldWords: TextSpan[],
  newText: string,
  newWords: TextSpan[],
): Map<number, number> {
  const readWord = (text: string) => (span: TextSpan) =>
    stripPunctuation(text.slice(span.from, span.to));
  const sharedWords = new Map<number, number>();
  let [oldIndex, newIndex] = [0, 0];
  const changes =
    diffArrays(oldWords.map(readWord(oldText)), newWords.map(readWord(newText)), {
      maxEditLength: MAX_EDITS,
    }) ?? [];
  for (const change of changes) {
    if (!change.added && !change.removed)
      for (let offset = 0; offset < change.value.length; offset++)
        sharedWords.set(oldIndex + offset, newIndex + offset);
    if (!change.added) oldIndex += change.value.length;
    if (!change.removed) newIndex += change.value.length;
  }
  return sharedWords;
}

const stripPunctuation = (word: string) =>
  /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(word.toLowerCase())?.[0] ?? word;
