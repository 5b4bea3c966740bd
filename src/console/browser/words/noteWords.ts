import type { CheckedNote, NoteResponse } from '../../../contract/responses.ts';
import type { droppableKinds } from '../../../contract/task.ts';

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

/** Kinds of notes on facts that a page states. */
const factKindSet: Record<Exclude<(typeof droppableKinds)[number], 'invented'>, true> = {
  quote: true,
  rating: true,
  price: true,
  date: true,
  contact: true,
};

/** Whether a note is about a fact of the template that is still on the new page. */
export const isOfTemplate = ({ kind }: Pick<CheckedNote, 'kind'>) =>
  kind in factKindSet || kind === 'template';

/** Whether a task can remove what the note is about from its page. */
export const isDroppableNote = (note: NotedTexts) => isDroppableKind(note.kind) || isOnBlock(note);
const isDroppableKind = (kind: NoteResponse['kind']) => kind in factKindSet || kind === 'invented';

/** Whether a text that a person types can replace what the note names. */
export const isTypeableNote = (note: NotedTexts) =>
  isOfTemplate(note) || note.kind === 'invented' ? valuesOfNote(note).length > 0 : isOnBlock(note);

type NotedTexts = Pick<NoteResponse, 'kind' | 'value' | 'values' | 'linkFrom'>;
/** Whether a note names texts of a block that links to its page, such as a card. */
const isOnBlock = (note: NotedTexts) =>
  note.linkFrom !== undefined && valuesOfNote(note).length > 0;

export const valuesOfNote = ({ value, values }: Pick<NoteResponse, 'value' | 'values'>) =>
  values ?? (value === undefined ? [] : [value]);

/** Whether two notes are about the same fact of the template, or the same column of a table. */
export const areOfSameFact = (firstNote: NoteResponse, secondNote: NoteResponse) =>
  firstNote.kind === secondNote.kind &&
  (haveCommon(valuesOfNote(firstNote), valuesOfNote(secondNote)) ||
    haveCommon(firstNote.keys ?? [], secondNote.keys ?? []));
const haveCommon = (texts: string[], otherTexts: string[]) =>
  texts.some((text) => otherTexts.includes(text));
