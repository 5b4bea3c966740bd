import type { CellRemark } from '../../../contract/checks.ts';
import { cellText } from '../../../text/text.ts';

/** The content of an item's context. It is the same for every format. */
export interface ContextData {
  format: 'json' | 'yaml' | 'csv' | 'lines' | 'markdown' | 'prose';
  fields: ContextField[];
  sections: ContextSection[];
  /** Paragraphs outside of sections. */
  paragraphs: string[];
  /** The whole text of the context, in which names are looked up. */
  source: string;
  /** Sentences for people about how the context was read. */
  notes?: string[];
  /** Problems with the context's values. `checkContextValues` finds them. */
  remarks?: CellRemark[];
}

/** A named value, or several values for a list. `key` is folded: lower case, single spaces. */
export interface ContextField {
  key: string;
  values: string[];
  /** Tells a list with one entry from a single value. */
  isList?: true;
}

/**
 * A part of a context. Its key or heading is `name`, which is matched with the page's headings.
 * `heading` is the text to show, if there is one.
 */
export interface ContextSection {
  name: string;
  heading: string | null;
  paragraphs: string[];
  items: string[];
  sections: ContextSection[];
  /** Values of a list's entry besides its text, such as a price, a date or a name. */
  fields?: ContextField[];
  /** True for a list that has no entries. */
  isEmptyList?: true;
}

/** The parts of a context, without the text that they were read from. */
export type ContextParts = Pick<ContextData, 'fields' | 'sections' | 'paragraphs'>;

/** Creates a section. Fields that are not given are empty. */
export const newSection = (
  name: string,
  properties: Partial<ContextSection> = {},
): ContextSection => ({
  name,
  heading: null,
  paragraphs: [],
  items: [],
  sections: [],
  ...properties,
});

/**
 * Puts a text on one line, without control characters or double spaces. Keeps no-break spaces
 * between digits. A cell of a spreadsheet becomes its text.
 */
export const cleanLine = (text: string): string =>
  cellText(text)
    .replace(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .replace(
      /(?<=\d)([\u00A0\u2009\u202F])(?=\d)|\s+/g,
      (_, noBreakSpace?: string) => noBreakSpace ?? ' ',
    )
    .trim();

/** Cleans a value: one line, or paragraphs with blank lines between them. */
export const cleanValue = (text: string): string =>
  /\n\s*\n/.test(text.trim()) ? text.trim() : cleanLine(text);

/** Splits a text into its paragraphs at blank lines. */
export const splitParagraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map(cleanLine)
    .filter((paragraph) => paragraph !== '');
