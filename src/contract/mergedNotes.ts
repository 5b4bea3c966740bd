/** One note of each kind for a page. Workflows import this file: it has no dependencies. */

import { defined } from './defined.ts';
import { type Note, slotsOf, valuesOf } from './task.ts';

/** Characters of a merged text. Further sentences are counted. */
const LONGEST = 480;
const MOST_VALUES = 50;

/**
 * Merges the notes of one kind on a page into one, with all their values. Notes on the whole task
 * stay as they are.
 */
export function mergeNotes(notes: readonly Note[]): Note[] {
  const groups = Map.groupBy(notes, (note) =>
    note.page === undefined ? note : JSON.stringify([note.page, note.kind, note.task]),
  );
  return [...groups.values()].map(mergeSame);
}

function mergeSame(same: Note[]): Note {
  const [first, ...others] = same as [Note, ...Note[]];
  const { page, kind, task } = first;
  if (page === undefined || others.length === 0) return first;
  const start = `${page}: `;
  const sentences = same.map(({ text }) =>
    text.startsWith(start) ? text.slice(start.length) : text,
  );
  const values = same.map(valuesOf);
  // an edit that removes the values settles a note, so a note with other parts has none
  const isWhole = values.every((own) => own.length > 0);
  const slots = [...new Set(same.flatMap(slotsOf))];
  return {
    page,
    kind,
    text: start + joined([...new Set(sentences)]),
    ...(isWhole && valuesIn([...new Set(values.flat())])),
    ...slotsIn(slots),
    ...defined({ task }),
  };
}

/** The fields of a note for its values: the only one, or all of them. */
export function valuesIn(values: string[]): Pick<Note, 'value' | 'values'> {
  if (values.length === 1) return { value: values[0]! };
  return values.length === 0 ? {} : { values: values.slice(0, MOST_VALUES) };
}

/** The fields of a note for its slots: the only one, or all of them. */
export function slotsIn(slots: string[]): Pick<Note, 'slot' | 'slots'> {
  if (slots.length === 1) return { slot: slots[0]! };
  return slots.length === 0 ? {} : { slots: slots.slice(0, MOST_VALUES) };
}

function joined(sentences: string[]): string {
  let text = sentences[0]!;
  for (const [i, sentence] of sentences.entries()) {
    if (i === 0) continue;
    if (text.length + sentence.length > LONGEST) return `${text}; and ${sentences.length - i} more`;
    text += `; ${sentence}`;
  }
  return text;
}
