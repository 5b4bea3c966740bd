import { diffArrays } from 'diff';

/** A change: the old text's characters from `from` to before `to` become `text`. */
export interface CharacterChange {
  from: number;
  to: number;
  text: string;
}

/** Texts that differ in more words are not compared: the work grows with this number. */
const MOST_EDITS = 1_000;

/**
 * What differs between two texts, in order: changed words, without the characters that both words
 * begin or end with. `Open at 9` and `Open at 10` → `{ from: 8, to: 9, text: '10' }`.
 * @param oldCharacters the characters of the old text; one may be several code points
 */
export const findTextChanges = (oldCharacters: string[], newText: string): CharacterChange[] =>
  findWordChanges(oldCharacters, newText).map((change) => trimSharedEnds(oldCharacters, change));

/** Like `findTextChanges`, but returns whole words. */
export function findWordChanges(oldCharacters: string[], newText: string): CharacterChange[] {
  const wholeChange = trimSharedEnds(oldCharacters, {
    from: 0,
    to: oldCharacters.length,
    text: newText,
  });
  const { from: start, to: end, text: middle } = wholeChange;
  if (start === end && middle === '') return [];
  const oldWords = splitIntoWords(oldCharacters.slice(start, end));
  const newWords = splitIntoWords([...middle]);
  if (oldWords.length <= 1 || newWords.length <= 1) return [wholeChange];
  const wordDiff = diffArrays(oldWords.map(joinCharacters), newWords.map(joinCharacters), {
    maxEditLength: MOST_EDITS,
  });
  if (!wordDiff) return [wholeChange];
  const changes: CharacterChange[] = [];
  let wordIndex = 0;
  let position = start;
  for (const { added, removed, value } of wordDiff) {
    const from = position;
    if (!added) for (let i = 0; i < value.length; i++) position += oldWords[wordIndex++]!.length;
    if (!added && !removed) continue;
    const lastChange = changes.at(-1);
    const text = added ? value.join('') : '';
    if (lastChange?.to === from)
      Object.assign(lastChange, { to: position, text: lastChange.text + text });
    else changes.push({ from, to: position, text });
  }
  return changes;
}

const joinCharacters = (word: string[]) => word.join('');

/** The words of a text, and each character between them, as lists of characters. */
function splitIntoWords(characters: string[]): string[][] {
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
export function trimSharedEnds(
  oldCharacters: string[],
  { from, to, text }: CharacterChange,
): CharacterChange {
  const newCharacters = [...text];
  let start = 0;
  while (
    from + start < to &&
    start < newCharacters.length &&
    oldCharacters[from + start] === newCharacters[start]
  )
    start++;
  let end = 0;
  while (
    from + start < to - end &&
    start < newCharacters.length - end &&
    oldCharacters[to - 1 - end] === newCharacters.at(-1 - end)
  )
    end++;
  return {
    from: from + start,
    to: to - end,
    text: newCharacters.slice(start, newCharacters.length - end).join(''),
  };
}
