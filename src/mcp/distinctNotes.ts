import type { NoteResponse } from '../contract/responses.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { noteKinds, type Note, type NoteKind } from '../contract/task.ts';
import { listField, openObject, countField, textField, textList } from './schemas.ts';

/** Most pages that an entry names. Its count includes all of them. */
const MOST_PAGES = 20;

/** Something that is the same on several pages. */
export interface SharedFinding {
  /** How many times it is there. */
  count: number;
  /** The first pages that have it. */
  pages: string[];
}

/** The fields of `SharedFinding`, for an answer's schema. */
export const sharedFields = {
  count: countField('The number of occurrences.'),
  pages: textList(`The first ${MOST_PAGES} pages with the note.`).required(),
};

/**
 * Says what is the same only once, in the order of the first of each.
 * @param readFinding the key of what is the same, and the page, if it is on one
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

/** The kinds whose notes come first: what a reader of the page sees first. */
const FIRST_KINDS: NoteKind[] = ['template', 'unpublished', 'undone'];
/** The kind whose notes come last: readers of the page see little of what they are about. */
const LAST_KIND: NoteKind = 'part';
const otherKinds = noteKinds.filter((kind) => !FIRST_KINDS.includes(kind) && kind !== LAST_KIND);
const kindRanks = new Map(
  [...FIRST_KINDS, ...otherKinds, LAST_KIND].map((kind, index) => [kind, index]),
);

const noteRank = ({ kind }: Pick<Note, 'kind'>) => kindRanks.get(kind)!;

/** The text of a note without its page, which all notes on pages begin with. */
export function textWithoutPage({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const slugPrefix = `${page}: `;
  return page !== undefined && text.startsWith(slugPrefix) ? text.slice(slugPrefix.length) : text;
}

/** Notes that say the same, once, in the order in which a reader of the pages sees them. */
export const distinctNotes = (notes: readonly Pick<Note, 'page' | 'kind' | 'text'>[]) =>
  shareFindings(
    notes.toSorted((firstNote, secondNote) => noteRank(firstNote) - noteRank(secondNote)),
    (note) => ({ page: note.page, shown: { kind: note.kind, text: textWithoutPage(note) } }),
  );

/** What two notes share that say the same. */
const noteSameness = (note: Pick<Note, 'page' | 'kind' | 'text'>) =>
  `${note.kind} ${textWithoutPage(note)}`;

/** The open notes of a task that say the same, once, each with the id of the first of them. */
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

/**
 * The ids of the notes that are meant by the ids of distinct notes: all that say the same. An id
 * that no note has stays.
 */
export function matchingNoteIds(notes: readonly Note[], noteIds: readonly string[]): string[] {
  const namedIds = new Set(noteIds);
  const meantSameness = new Set(
    notes.flatMap((note) => (namedIds.has(noteIdOf(note)) ? [noteSameness(note)] : [])),
  );
  const sameNoteIds = notes.filter((note) => meantSameness.has(noteSameness(note))).map(noteIdOf);
  return [...new Set([...noteIds, ...sameNoteIds])];
}

const noteFields = {
  kind: textField('A kind for programs, such as `price`.').required(),
  text: textField('What to check.').required(),
  ...sharedFields,
};

/** Notes of a check, for an answer's schema. */
export const checkedNotes = listField(
  openObject(noteFields),
  'What to check, headings first.',
).required();

/** Notes of a task, for an answer's schema. */
export const taskNotes = listField(
  openObject({
    noteId: textField('The id for settle_notes and drop_notes.').required(),
    ...noteFields,
  }),
  'What a person should check. Each note is listed once, headings first.',
).required();
