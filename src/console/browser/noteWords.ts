import type { CheckedNote, Note } from '../../contract/answers.ts';
import type { droppableKinds } from '../../contract/task.ts';

/** Of the text, what stands below the page's name. */
export function withoutSlug({ page, text }: Pick<Note, 'page' | 'text'>): string {
  const start = `${page}: `;
  if (page === undefined || !text.startsWith(start)) return text;
  return text.charAt(start.length).toUpperCase() + text.slice(start.length + 1);
}

export const isOpen = ({ state }: Pick<Note, 'state'>) => state === 'open';

/** What an agent may have done that nobody asked for. */
const urgent: Note['kind'][] = ['host', 'contact', 'deleted', 'moved'];
const isUrgent = ({ kind }: Note) => urgent.includes(kind);

/** A page's first notes are shown at once, and the others when asked for. */
export const mostUrgentFirst = (notes: Note[]) => [
  ...notes.filter(isUrgent),
  ...notes.filter((note) => !isUrgent(note)),
];

/** Kinds of notes on facts that a page says. */
const facts: Record<Exclude<(typeof droppableKinds)[number], 'invented'>, true> = {
  quote: true,
  rating: true,
  reviews: true,
  'case-study': true,
  map: true,
  price: true,
  date: true,
  hours: true,
  address: true,
  telephone: true,
  email: true,
  coordinates: true,
};

/** Whether a note is about a fact that a new page has of its template. */
export const isOfTemplate = ({ kind }: CheckedNote) =>
  kind in facts || kind === 'title' || kind === 'headline';

export const isDroppable = ({ page, kind }: Note) =>
  page !== undefined && (kind in facts || kind === 'invented');

const valuesOf = ({ value, values }: Note) => values ?? (value === undefined ? [] : [value]);

/** Whether another note is about the same fact of the template. */
export const sameFact = (one: Note, other: Note) =>
  one.kind === other.kind && valuesOf(one).some((value) => valuesOf(other).includes(value));
