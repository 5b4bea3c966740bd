import { diffArrays } from 'diff';

/** A stretch of an old text's characters, by their indexes, and what it becomes. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

/** Texts that differ in more words are not compared: the work grows with this number. */
const MOST_EDITS = 1_000;

/**
 * What differs between two texts, in order: words, without the characters that both words share.
 * @param old the characters of the old text; one may be several code points
 */
export const textChanges = (old: string[], now: string): TextChange[] =>
  wordChanges(old, now).map((change) => withoutShared(old, change));

/** As `textChanges`, in whole words. */
export function wordChanges(old: string[], now: string): TextChange[] {
  const whole = withoutShared(old, { from: 0, to: old.length, text: now });
  const { from: start, to: end, text: middle } = whole;
  if (start === end && middle === '') return [];
  const oldWords = wordsOf(old.slice(start, end));
  const newWords = wordsOf([...middle]);
  if (oldWords.length <= 1 || newWords.length <= 1) return [whole];
  const found = diffArrays(oldWords.map(joined), newWords.map(joined), {
    maxEditLength: MOST_EDITS,
  });
  if (!found) return [whole];
  const changes: TextChange[] = [];
  let word = 0;
  let at = start;
  for (const { added, removed, value } of found) {
    const from = at;
    if (!added) for (let i = 0; i < value.length; i++) at += oldWords[word++]!.length;
    if (!added && !removed) continue;
    const last = changes.at(-1);
    const text = added ? value.join('') : '';
    if (last?.to === from) Object.assign(last, { to: at, text: last.text + text });
    else changes.push({ from, to: at, text });
  }
  return changes;
}

const joined = (word: string[]) => word.join('');

/** The words of a text, with what stands between them, in characters. */
function wordsOf(characters: string[]): string[][] {
  const words: string[][] = [];
  let isOpen = false;
  for (const character of characters) {
    const isLetter = /^[\p{L}\p{N}\p{M}]/u.test(character);
    if (isLetter && isOpen) words.at(-1)!.push(character);
    else words.push([character]);
    isOpen = isLetter;
  }
  return words;
}

/** The change without the characters that both texts begin or end with. */
export function withoutShared(old: string[], { from, to, text }: TextChange): TextChange {
  const now = [...text];
  let start = 0;
  while (from + start < to && start < now.length && old[from + start] === now[start]) start++;
  let end = 0;
  while (
    from + start < to - end &&
    start < now.length - end &&
    old[to - 1 - end] === now.at(-1 - end)
  )
    end++;
  return { from: from + start, to: to - end, text: now.slice(start, now.length - end).join('') };
}
