import type { Slot } from '../../sites/formats/page.ts';
import type { Field, Section } from './contextData.ts';

/** An entry of a list. It becomes the content of one member of a group. */
export interface Entry {
  heading: string | null;
  paragraphs: string[];
  items: string[];
  entries: Entry[];
  fields: Field[];
  /** The text, if the entry is only a line of text. */
  line: string | null;
}

export const emptyEntry: Entry = {
  heading: null,
  paragraphs: [],
  items: [],
  entries: [],
  fields: [],
  line: null,
};

/**
 * A section's entries: its subsections (`### Starter`, objects), or its items (`- Starter: five
 * pages`).
 */
export function entriesOf(section: Section, kind: 'sections' | 'items'): Entry[] {
  if (kind === 'items') return lineEntries(section.items);
  return section.sections.map((own) => ({
    heading: own.heading,
    paragraphs: own.paragraphs,
    items: own.items,
    entries: entriesOf(own, 'sections'),
    fields: own.fields ?? [],
    line: null,
  }));
}

/** Turns lines of text into entries. */
export const lineEntries = (lines: string[]): Entry[] =>
  lines.map((line) => ({ ...emptyEntry, line }));

interface NamedLine {
  heading: string;
  text: string;
}

const inTwo = (line: string, pattern: RegExp): NamedLine | null => {
  const [, heading, text] = pattern.exec(line) ?? [];
  return heading !== undefined && text !== undefined ? { heading, text } : null;
};

/** Splits `Name: text`. null for another line. */
export const namedLine = (line: string): NamedLine | null =>
  inTwo(line, /^([^:–—]{2,60}?)\s*(?::| [–—])\s+(\S.*)$/u);

/**
 * Splits `Name: text` or `Why? Because.` into a member's heading and text. null for other lines.
 */
export const splitLine = (line: string): NamedLine | null =>
  namedLine(line) ?? inTwo(line, /^(.{2,200}?\?)\s+(\S.*)$/u);

/** Pairs slots with texts in their order. The last slot gets all remaining texts. */
export const inOrder = (slots: Slot[], texts: string[]): [Slot, string][] =>
  slots
    .slice(0, texts.length)
    .map((slot, i) => [slot, i === slots.length - 1 ? texts.slice(i).join(' ') : texts[i]!]);
