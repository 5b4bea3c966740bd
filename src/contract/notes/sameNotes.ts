import { noteKinds, type Note, type NoteKind } from '../task.ts';
import { noteIdOf } from './noteIds.ts';

/**
 * Notes that say the same on several pages. A person decides on them once, so each is shown once,
 * and the id of one selects it on all pages.
 */

/** The text of a note without the slug of its page, with which texts of notes on pages begin. */
export function textWithoutPage({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const slugPrefix = `${page}: `;
  return page !== undefined && text.startsWith(slugPrefix) ? text.slice(slugPrefix.length) : text;
}

/** Quoted values before the key that they belong to: `"4.8", "4.9" (rating)`. */
const OWNED_VALUES = /"[^"]*"(?:, "[^"]*")* \(/g;

/** The share at the start of `ownShareNote`: `5 % of the words are unique to this page.` */
const OWN_SHARE = /^\d+ % of the words are unique/;

/**
 * The text of a note without its page. Values that were not used differ on each page, but a person
 * decides on their column, so only their key stays: `… (rating)`. Likewise, a person decides on
 * pages with few words of their own, not on each share.
 */
function textOfAllPages(note: Pick<Note, 'page' | 'kind' | 'text'>): string {
  const text = textWithoutPage(note);
  if (note.kind === 'unused') return text.replaceAll(OWNED_VALUES, '… (');
  return note.kind === 'template' ? text.replace(OWN_SHARE, '… % of the words are unique') : text;
}

/** The same text for notes that differ only in their pages, in values not used, or in shares. */
export const noteSameness = (note: Pick<Note, 'page' | 'kind' | 'text'>) =>
  `${note.kind} ${textOfAllPages(note)}`;

/** The text that notes share which are the same: with values only if all notes have them. */
export function sharedNoteText(notes: readonly Pick<Note, 'page' | 'kind' | 'text'>[]): string {
  const [firstNote] = notes;
  const firstText = textWithoutPage(firstNote!);
  return notes.every((note) => textWithoutPage(note) === firstText)
    ? firstText
    : textOfAllPages(firstNote!);
}

/**
 * The ids of all notes that the ids of distinct notes stand for: those with the same kind and text,
 * on any page. An unknown id is returned too, so that the use case can refuse it.
 */
export function matchingNoteIds(notes: readonly Note[], noteIds: readonly string[]): string[] {
  const namedIds = new Set(noteIds);
  const meantSameness = new Set(
    notes.flatMap((note) => (namedIds.has(noteIdOf(note)) ? [noteSameness(note)] : [])),
  );
  const sameNoteIds = notes.filter((note) => meantSameness.has(noteSameness(note))).map(noteIdOf);
  return [...new Set([...noteIds, ...sameNoteIds])];
}

/** The kinds of notes that come first, because visitors of the page see their subjects first. */
const FIRST_KINDS: NoteKind[] = ['comment', 'template', 'unpublished', 'undone'];
/** The kind of notes that comes last, because visitors of the page hardly see its subjects. */
const LAST_KIND: NoteKind = 'part';
const otherKinds = noteKinds.filter((kind) => !FIRST_KINDS.includes(kind) && kind !== LAST_KIND);
const kindRanks = new Map(
  [...FIRST_KINDS, ...otherKinds, LAST_KIND].map((kind, index) => [kind, index]),
);

const noteRank = ({ kind }: Pick<Note, 'kind'>) => kindRanks.get(kind)!;

/** Puts notes first whose subjects visitors of the page see first. */
export const compareNotes = (note: Pick<Note, 'kind'>, otherNote: Pick<Note, 'kind'>): number =>
  noteRank(note) - noteRank(otherNote);
