import type { Note } from '../../contract/answers.ts';

/** Of the text, what stands below the page's name. */
export function withoutSlug({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const start = `${page}: `;
  if (page === undefined || !text.startsWith(start)) return text;
  return text.charAt(start.length).toUpperCase() + text.slice(start.length + 1);
}

export const isOpen = ({ state }: Pick<Note, 'state'>) => state === 'open';

/** What an agent may have done that nobody asked for. */
const urgent = ['host', 'contact', 'deleted', 'moved'];
const isUrgent = ({ kind }: Note) => urgent.includes(kind);

/** A page's first notes are shown at once, and the others when asked for. */
export const mostUrgentFirst = (notes: Note[]) => [
  ...notes.filter(isUrgent),
  ...notes.filter((note) => !isUrgent(note)),
];

/** Kinds of notes on what a page says, which can be taken out. */
const droppable = [
  'quote',
  'rating',
  'reviews',
  'case-study',
  'map',
  'price',
  'date',
  'hours',
  'address',
  'telephone',
  'email',
  'coordinates',
  'invented',
];
export const isDroppable = ({ page, kind }: Note) => page !== undefined && droppable.includes(kind);

const valuesOf = ({ value, values }: Note) => values ?? (value === undefined ? [] : [value]);

/** Whether another note is about the same fact of the template. */
export const sameFact = (one: Note, other: Note) =>
  one.kind === other.kind && valuesOf(one).some((value) => valuesOf(other).includes(value));
