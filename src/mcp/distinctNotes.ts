import type { Note as TaskNote } from '../contract/answers.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import { noteKinds, type Note, type NoteKind } from '../contract/task.ts';
import { listOf, partOf, count, string, strings } from './schemas.ts';

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
  count: count('How many times.'),
  pages: strings(`Where: the first ${MOST_PAGES} pages.`).required(),
};

/**
 * Says what is the same only once, in the order of the first of each.
 * @param read the key of what is the same, and the page, if it is on one
 */
export function shareFindings<Finding, Shown extends object>(
  findings: readonly Finding[],
  read: (finding: Finding) => { page: string | undefined; shown: Shown },
): (Shown & SharedFinding)[] {
  const shared = new Map<string, Shown & { count: number; pages: Set<string> }>();
  for (const finding of findings) {
    const { page, shown } = read(finding);
    const key = JSON.stringify(shown);
    const entry = shared.get(key) ?? { ...shown, count: 0, pages: new Set<string>() };
    entry.count++;
    if (page !== undefined) entry.pages.add(page);
    shared.set(key, entry);
  }
  return [...shared.values()].map(({ pages, ...entry }) => ({
    ...(entry as Shown & { count: number }),
    pages: [...pages].slice(0, MOST_PAGES),
  }));
}

/** The kinds whose notes come first: what a reader of the page sees first. */
const FIRST: NoteKind[] = ['template', 'unpublished', 'undone'];
/** The kind whose notes come last: readers of the page see little of what they are about. */
const LAST: NoteKind = 'part';
const others = noteKinds.filter((kind) => !FIRST.includes(kind) && kind !== LAST);
const ranks = new Map([...FIRST, ...others, LAST].map((kind, i) => [kind, i]));

const rankOf = ({ kind }: Pick<Note, 'kind'>) => ranks.get(kind)!;

/** The text of a note without its page, which all notes on pages begin with. */
export function textWithoutPage({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const start = `${page}: `;
  return page !== undefined && text.startsWith(start) ? text.slice(start.length) : text;
}

/** Notes that say the same, once, in the order in which a reader of the pages sees them. */
export const distinctNotes = (notes: readonly Pick<Note, 'page' | 'kind' | 'text'>[]) =>
  shareFindings(
    notes.toSorted((one, other) => rankOf(one) - rankOf(other)),
    (note) => ({ page: note.page, shown: { kind: note.kind, text: textWithoutPage(note) } }),
  );

/** What two notes share that say the same. */
const sameness = (note: Pick<Note, 'page' | 'kind' | 'text'>) =>
  `${note.kind} ${textWithoutPage(note)}`;

/** The open notes of a task that say the same, once, each with the id of the first of them. */
export function distinctTaskNotes(notes: readonly TaskNote[]) {
  const open = notes.filter(({ state }) => state === 'open');
  const ids = new Map(open.toReversed().map((note) => [sameness(note), note.id]));
  return distinctNotes(open).map((shown) => ({ noteId: ids.get(sameness(shown))!, ...shown }));
}

/**
 * The ids of the notes that are meant by the ids of distinct notes: all that say the same. An id
 * that no note has stays.
 */
export function idsOfSame(notes: readonly Note[], noteIds: readonly string[]): string[] {
  const named = new Set(noteIds);
  const meant = new Set(
    notes.flatMap((note) => (named.has(noteIdOf(note)) ? [sameness(note)] : [])),
  );
  const same = notes.filter((note) => meant.has(sameness(note))).map(noteIdOf);
  return [...new Set([...noteIds, ...same])];
}

const fields = {
  kind: string('For programs, such as `price`.').required(),
  text: string('What to look at.').required(),
  ...sharedFields,
};

/** Notes of a check, for an answer's schema. */
export const checkedNotes = listOf(partOf(fields), 'What to look at, headings first.').required();

/** Notes of a task, for an answer's schema. */
export const taskNotes = listOf(
  partOf({ noteId: string('For settle_notes and drop_notes.').required(), ...fields }),
  'What a person should look at, each once, headings first.',
).required();
