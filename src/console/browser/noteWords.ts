import type { CheckedNote, Note } from '../../contract/answers.ts';
import type { droppableKinds } from '../../contract/task.ts';

/**
 * A note's text without the page's address at its start, for places that show the address above.
 */
export function withoutSlug({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const start = `${page}: `;
  if (page === undefined || !text.startsWith(start)) return text;
  return text.charAt(start.length).toUpperCase() + text.slice(start.length + 1);
}

export const isOpen = ({ state }: Pick<Note, 'state'>) => state === 'open';

/** Kinds of notes on changes that an agent may have made without being asked. */
const urgent: Note['kind'][] = ['host', 'changed'];
const isUrgent = ({ kind }: Note) => urgent.includes(kind);

/** Puts the most urgent notes first, because only a page's first few notes are shown at once. */
export const mostUrgentFirst = (notes: Note[]) => [
  ...notes.filter(isUrgent),
  ...notes.filter((note) => !isUrgent(note)),
];

/** Kinds of notes on facts that a page states. */
const facts: Record<Exclude<(typeof droppableKinds)[number], 'invented'>, true> = {
  quote: true,
  rating: true,
  price: true,
  date: true,
  hours: true,
  contact: true,
};

/** Whether a note is about a fact that a new page took over from its template. */
export const isOfTemplate = ({ kind }: CheckedNote) => kind in facts || kind === 'template';

export const isDroppable = ({ page, kind }: Note) =>
  page !== undefined && (kind in facts || kind === 'invented');

const valuesOf = ({ value, values }: Note) => values ?? (value === undefined ? [] : [value]);

/** Whether two notes are about the same fact of the template. */
export const sameFact = (one: Note, other: Note) =>
  one.kind === other.kind && valuesOf(one).some((value) => valuesOf(other).includes(value));
