import type { NoteResponse } from '../../../contract/responses.ts';
import { noteValues } from '../../../contract/notes/noteFacts.ts';

/**
 * A note's text without the page's slug at its start, for screens that show the slug above it. A
 * note is something that a person should check.
 */
export function withoutSlug({ page, text }: Pick<NoteResponse, 'page' | 'text'>): string {
  const slugPrefix = `${page}: `;
  if (page === undefined || !text.startsWith(slugPrefix)) return text;
  return capitalize(text.slice(slugPrefix.length));
}

/** A text as the beginning of a sentence. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a note is on a change that the request asked for, so that nobody has to decide on it. */
export const isRequestedChange = ({ kind }: Pick<NoteResponse, 'kind'>) => kind === 'requested';

export const isOpenNote = ({ state }: Pick<NoteResponse, 'state'>) => state === 'open';

/** Kinds of notes on changes that an agent may have made without being asked. */
const urgentKinds: NoteResponse['kind'][] = ['host', 'changed', 'setup'];
const isUrgent = ({ kind }: NoteResponse) => urgentKinds.includes(kind);

/** Puts the most urgent notes first, because only a page's first few notes are shown at once. */
export const mostUrgentFirst = (notes: NoteResponse[]) => [
  ...notes.filter(isUrgent),
  ...notes.filter((note) => !isUrgent(note)),
];

/** Whether two notes are about the same fact of the template, or the same column of a table. */
export const areOfSameFact = (firstNote: NoteResponse, secondNote: NoteResponse) =>
  firstNote.kind === secondNote.kind &&
  (haveCommon(noteValues(firstNote), noteValues(secondNote)) ||
    haveCommon(firstNote.keys ?? [], secondNote.keys ?? []));
const haveCommon = (texts: string[], otherTexts: string[]) =>
  texts.some((text) => otherTexts.includes(text));
