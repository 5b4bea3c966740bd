/**
 * Merges notes (what a person should check on a page), so that a page has one note of each kind.
 * Workflows import this file, so it imports nothing else that has dependencies.
 */

import { withoutUndefined } from '../withoutUndefined.ts';
import { type Note, noteSlots, noteValues } from '../task.ts';

/** Maximum characters of a merged text. Further sentences are only counted. */
const LONGEST = 480;
const MOST_VALUES = 50;

/**
 * Merges the notes of one kind on a page into one, with all their values: `/a: price $5` and
 * `/a: price $9` become `/a: price $5; price $9`. Notes on the whole task stay as they are.
 */
export function mergeNotes(notes: readonly Note[]): Note[] {
  const groups = Map.groupBy(notes, (note) =>
    note.page === undefined
      ? note
      : JSON.stringify([note.page, note.kind, note.task, note.linkFrom]),
  );
  return [...groups.values()].map(mergeNotesOfKind);
}

function mergeNotesOfKind(notesOfKind: Note[]): Note {
  const [firstNote, ...otherNotes] = notesOfKind as [Note, ...Note[]];
  const { page, kind, task, linkFrom } = firstNote;
  if (page === undefined || otherNotes.length === 0) return firstNote;
  const slugPrefix = `${page}: `;
  const sentences = notesOfKind.map(({ text }) =>
    text.startsWith(slugPrefix) ? text.slice(slugPrefix.length) : text,
  );
  const values = notesOfKind.map(noteValues);
  // an edit that removes all values resolves the note, so a note that is about more has no values
  const isWhole = values.every((noteValueList) => noteValueList.length > 0);
  const slots = [...new Set(notesOfKind.flatMap(noteSlots))];
  return {
    page,
    kind,
    text: slugPrefix + joinSentences([...new Set(sentences)]),
    ...(isWhole && valueFields([...new Set(values.flat())])),
    ...slotFields(slots),
    ...keyFields([...new Set(notesOfKind.flatMap(({ keys = [] }) => keys))]),
    ...withoutUndefined({ task, linkFrom }),
  };
}

/** The field of a note for the keys of a context, if there are any. */
export const keyFields = (keys: string[]): Pick<Note, 'keys'> =>
  keys.length === 0 ? {} : { keys };

/** The fields of a note for its values: the only one, or all of them. */
export function valueFields(values: string[]): Pick<Note, 'value' | 'values'> {
  if (values.length === 1) return { value: values[0]! };
  return values.length === 0 ? {} : { values: values.slice(0, MOST_VALUES) };
}

/** The fields of a note for its slots: the only one, or all of them. */
export function slotFields(slots: string[]): Pick<Note, 'slot' | 'slots'> {
  if (slots.length === 1) return { slot: slots[0]! };
  return slots.length === 0 ? {} : { slots: slots.slice(0, MOST_VALUES) };
}

function joinSentences(sentences: string[]): string {
  let joinedText = sentences[0]!;
  for (const [index, sentence] of sentences.entries()) {
    if (index === 0) continue;
    if (joinedText.length + sentence.length > LONGEST)
      return `${joinedText}; and ${sentences.length - index} more`;
    joinedText += `; ${sentence}`;
  }
  return joinedText;
}
