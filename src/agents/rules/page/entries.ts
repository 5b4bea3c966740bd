import type { Field, Section } from '../context/data.ts';

/** One entry of a list: what a member of a group is to say. */
export interface Entry {
  heading: string | null;
  paragraphs: string[];
  items: string[];
  entries: Entry[];
  fields: Field[];
  /** The whole text of an entry that is only a line of text. */
  line: string | null;
}

export const emptyEntry: Entry = { heading: null, paragraphs: [], items: [], entries: [], fields: [], line: null };

/** The entries of a section's sections (`### Starter`, objects), or of its items (`- Starter: five pages`). */
export function entriesOf(section: Section, kind: 'sections' | 'items'): Entry[] {
  if (kind === 'items') return section.items.map((line) => ({ ...emptyEntry, line }));
  return section.sections.map((own) => ({
    heading: own.heading,
    paragraphs: own.paragraphs,
    items: own.items,
    entries: entriesOf(own, 'sections'),
    fields: own.fields ?? [],
    line: null,
  }));
}

/** `Name: text` and `Why? Because.` in two, for members with a heading; null for another line. */
export function splitLine(line: string): { heading: string; text: string } | null {
  const [, heading, text] =
    /^([^:–—]{2,60}?)\s*(?::| [–—])\s+(.+)$/u.exec(line) ?? /^(.{2,200}?\?)\s+(.+)$/u.exec(line) ?? [];
  return heading !== undefined && text !== undefined ? { heading, text } : null;
}
