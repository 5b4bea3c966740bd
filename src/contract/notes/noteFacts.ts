import type { CheckedNote } from '../responses/tasks.ts';
import { factKinds, type NoteKind } from './noteKinds.ts';

/*
 * What can be done about the facts that a note names. The service decides by these functions what
 * it does, and the console which buttons it shows.
 */

type NotedFacts = Pick<CheckedNote, 'kind' | 'value' | 'values' | 'linkFrom'>;

/** The values that a note names: one, several or none. */
export const noteValues = ({ value, values }: Pick<CheckedNote, 'value' | 'values'>): string[] =>
  values ?? (value === undefined ? [] : [value]);

/** Kinds of notes whose facts can be removed from the page. */
export const droppableKinds = [...factKinds, 'invented'] as const satisfies NoteKind[];
/** Kinds of notes whose values a text that a person types can replace on the page. */
const typeableKinds = [...droppableKinds, 'template'] as const satisfies NoteKind[];

/** Whether what a note names can be removed from its page. */
export const hasDroppableFact = (note: NotedFacts): boolean =>
  isOnBlock(note) || isOfKind(note, droppableKinds);

/** Whether a text that a person types can replace what a note names. */
export const hasTypeableFact = (note: NotedFacts): boolean =>
  isOnBlock(note) || (isOfKind(note, typeableKinds) && noteValues(note).length > 0);

/** Whether a note is about a fact of the template that is still on the new page. */
export const isOfTemplate = (note: Pick<CheckedNote, 'kind'>): boolean =>
  isOfKind(note, [...factKinds, 'template']);

const isOfKind = ({ kind }: Pick<CheckedNote, 'kind'>, kinds: readonly NoteKind[]) =>
  kinds.includes(kind);
/** Whether a note names texts of a block that links to its page, such as a card. */
const isOnBlock = (note: Pick<NotedFacts, 'linkFrom' | 'value' | 'values'>) =>
  note.linkFrom !== undefined && noteValues(note).length > 0;
