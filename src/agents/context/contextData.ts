import type { CellRemark } from '../../contract/check.ts';
import { cellText } from '../../text/text.ts';

/** The content of an item's context. It is the same for every format. */
export interface ContextData {
  format: 'json' | 'yaml' | 'csv' | 'lines' | 'markdown' | 'prose';
  fields: Field[];
  sections: Section[];
  /** Paragraphs outside of sections. */
  paragraphs: string[];
  /** The whole text of the context, in which names are looked up. */
  source: string;
  /** Sentences for people about how the context was read. */
  notes?: string[];
  /** Problems with the context's values. `judged` finds them. */
  remarks?: CellRemark[];
}

/** A named value, or several values for a list. `key` is folded: lower case, single spaces. */
export interface Field {
  key: string;
  values: string[];
  /** Tells a list with one entry from a single value. */
  isList?: true;
}

/**
 * A part of a context. Its key or heading is `name`, which is matched with the page's headings.
 * `heading` is the text to show, if there is one.
 */
export interface Section {
  name: string;
  heading: string | null;
  paragraphs: string[];
  items: string[];
  sections: Section[];
  /** Values of a list's entry besides its text, such as a price, a date or a name. */
  fields?: Field[];
  /** True for a list that has no entries. */
  isEmptyList?: true;
}

/** The parts of a context, without the text that they were read from. */
export type Parts = Pick<ContextData, 'fields' | 'sections' | 'paragraphs'>;

/** Creates a section. Fields that are not given are empty. */
export const newSection = (name: string, given: Partial<Section> = {}): Section => ({
  name,
  heading: null,
  paragraphs: [],
  items: [],
  sections: [],
  ...given,
});

/**
 * Puts a text on one line, without control characters or double spaces. Keeps no-break spaces
 * between digits. A cell of a spreadsheet becomes its text.
 */
export const clean = (text: string): string =>
  cellText(text)
    .replace(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .replace(/(?<=\d)([\u00A0\u2009\u202F])(?=\d)|\s+/g, (_, held?: string) => held ?? ' ')
    .trim();

/** Cleans a value: one line, or paragraphs with blank lines between them. */
export const tidy = (text: string): string =>
  /\n\s*\n/.test(text.trim()) ? text.trim() : clean(text);

/** Splits a text into its paragraphs at blank lines. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map(clean)
    .filter((paragraph) => paragraph !== '');
