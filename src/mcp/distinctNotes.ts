import type { NoteResponse } from '../contract/responses.ts';
import { compareNotes, noteSameness, sharedNoteText } from '../contract/notes/sameNotes.ts';
import type { Note } from '../contract/task.ts';
import { listField, openObject, countField, textField, textList } from './schemas.ts';

/**
 * Lists of findings in the results of tools, in which each finding occurs only once. A note (what a
 * person should check on a page) that ten pages have is one entry with `count: 10`, so that a model
 * reads it once:
 *
 *     { page: '/a', kind: 'price', text: '/a: $5' }, { page: '/b', kind: 'price', text: '/b: $5' }
 *     → { kind: 'price', text: '$5', count: 2, pages: ['/a', '/b'] }
 */

/** Maximum number of pages that an entry names. Its count includes all of them. */
const MOST_PAGES = 20;

/** How often a finding occurs, and on which pages. */
export interface SharedFinding {
  /** How many times it is there. */
  count: number;
  /** The first pages that have it. */
  pages: string[];
}

/** The fields of `SharedFinding`, for the schema of a result. */
export const sharedFields = {
  count: countField('The number of occurrences.'),
  pages: textList(`The first ${MOST_PAGES} pages with the note.`).required(),
};

/**
 * Combines equal findings into one entry each, in the order of their first occurrences.
 * @param readFinding returns what the entry shows, by which findings are compared, and the page, if
 *   the finding is on one
 */
export function shareFindings<Finding, Shown extends object>(
  findings: readonly Finding[],
  readFinding: (finding: Finding) => { page: string | undefined; shown: Shown },
): (Shown & SharedFinding)[] {
  const entriesByKey = new Map<string, Shown & { count: number; pages: Set<string> }>();
  for (const finding of findings) {
    const { page, shown } = readFinding(finding);
    const shownKey = JSON.stringify(shown);
    const entry = entriesByKey.get(shownKey) ?? { ...shown, count: 0, pages: new Set<string>() };
    entry.count++;
    if (page !== undefined) entry.pages.add(page);
    entriesByKey.set(shownKey, entry);
  }
  return [...entriesByKey.values()].map(({ pages, ...entry }) => ({
    ...(entry as Shown & { count: number }),
    pages: [...pages].slice(0, MOST_PAGES),
  }));
}

/** Combines notes with the same kind and text. What visitors of the pages see first comes first. */
export function distinctNotes(notes: readonly Pick<Note, 'page' | 'kind' | 'text'>[]) {
  const textsBySameness = new Map(
    [...Map.groupBy(notes, noteSameness)].map(([sameness, sameNotes]) => [
      sameness,
      sharedNoteText(sameNotes),
    ]),
  );
  return shareFindings(notes.toSorted(compareNotes), (note) => ({
    page: note.page,
    shown: { kind: note.kind, text: textsBySameness.get(noteSameness(note))! },
  }));
}

/** Combines a task's open notes like `distinctNotes`. Each entry has the id of its first note. */
export function distinctTaskNotes(notes: readonly NoteResponse[]) {
  const openNotes = notes.filter(({ state }) => state === 'open');
  const idsBySameness = new Map(
    openNotes.toReversed().map((note) => [noteSameness(note), note.id]),
  );
  return distinctNotes(openNotes).map((shownNote) => ({
    noteId: idsBySameness.get(noteSameness(shownNote))!,
    ...shownNote,
  }));
}

const noteFields = {
  kind: textField('A kind for programs, such as `price`.').required(),
  text: textField('What to check.').required(),
  ...sharedFields,
};

/** Notes of a check, for the schema of a result. */
export const checkedNotes = listField(
  openObject(noteFields),
  'What to check, headings first.',
).required();

/** Notes of a task, for the schema of a result. */
export const taskNotes = listField(
  openObject({
    noteId: textField('The id for settle_notes, decide_notes and drop_notes.').required(),
    ...noteFields,
  }),
  'What a person should check. Each note is listed once, headings first.',
).required();
