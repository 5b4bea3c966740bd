import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { ContextField, ContextSection } from './contextData.ts';

/** An entry of a list in a context. It becomes the content of one member of a group on the page. */
export interface ListEntry {
  heading: string | null;
  paragraphs: string[];
  items: string[];
  entries: ListEntry[];
  fields: ContextField[];
  /** The text, if the entry is only a line of text. */
  line: string | null;
}

export const emptyEntry: ListEntry = {
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
export function listSectionEntries(
  section: ContextSection,
  kind: 'sections' | 'items',
): ListEntry[] {
  if (kind === 'items') return lineEntries(section.items);
  return section.sections.map((subsection) => ({
    heading: subsection.heading,
    paragraphs: subsection.paragraphs,
    items: subsection.items,
    entries: listSectionEntries(subsection, 'sections'),
    fields: subsection.fields ?? [],
    line: null,
  }));
}

/** Turns lines of text into entries. */
export const lineEntries = (lines: string[]): ListEntry[] =>
  lines.map((line) => ({ ...emptyEntry, line }));

interface NamedLine {
  heading: string;
  text: string;
}

const splitByPattern = (line: string, pattern: RegExp): NamedLine | null => {
  const [, heading, text] = pattern.exec(line) ?? [];
  return heading !== undefined && text !== undefined ? { heading, text } : null;
};

/** Splits `Name: text`. null for another line. */
export const splitNamedLine = (line: string): NamedLine | null =>
  splitByPattern(line, /^([^:–—]{2,60}?)\s*(?::| [–—])\s+(\S.*)$/u);

/**
 * Splits `Name: text` or `Why? Because.` into a member's heading and text. null for other lines.
 */
export const splitHeadedLine = (line: string): NamedLine | null =>
  splitNamedLine(line) ?? splitByPattern(line, /^(.{2,200}?\?)\s+(\S.*)$/u);

/** Pairs slots with texts in their order. The last slot gets all remaining texts. */
export const pairInOrder = (slots: TextSlot[], texts: string[]): [TextSlot, string][] =>
  slots
    .slice(0, texts.length)
    .map((slot, index) => [
      slot,
      index === slots.length - 1 ? texts.slice(index).join(' ') : texts[index]!,
    ]);
