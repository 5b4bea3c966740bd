import type { CellRemark } from '../../contract/check.ts';

/** The content of an item's context, in any format. */
export interface ContextData {
  format: 'json' | 'yaml' | 'csv' | 'lines' | 'markdown' | 'prose';
  fields: Field[];
  sections: Section[];
  /** Paragraphs without their own heading. */
  paragraphs: string[];
  /** The whole text, to look names up in. */
  source: string;
  /** Sentences for people on how it was read. */
  notes?: string[];
  /** What is wrong with its values: see `judged`. */
  remarks?: CellRemark[];
}

/** A named value, or several for a list. `key` is folded: lower case, one space between words. */
export interface Field {
  key: string;
  values: string[];
  /** True for a list with one entry. */
  isList?: true;
}

/**
 * A part of a context. `name` is the key or heading that finds its place on the page, `heading` the
 * text to show, if any.
 */
export interface Section {
  name: string;
  heading: string | null;
  paragraphs: string[];
  items: string[];
  sections: Section[];
  /** Further values of an entry of a list: a price, a date, a name. */
  fields?: Field[];
  /** True for a list without entries. */
  isEmptyList?: true;
}

/** The contents of a context, whatever its format. */
export type Parts = Pick<ContextData, 'fields' | 'sections' | 'paragraphs'>;

/** A section, empty but for what is given. */
export const newSection = (name: string, given: Partial<Section> = {}): Section => ({
  name,
  heading: null,
  paragraphs: [],
  items: [],
  sections: [],
  ...given,
});

/**
 * One line of plain text without control characters and double spaces. No-break spaces between
 * digits stay.
 */
export const clean = (text: string): string =>
  text
    .replace(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .replace(/(?<=\d)([\u00A0\u2009\u202F])(?=\d)|\s+/g, (_, held?: string) => held ?? ' ')
    .trim();

/** A value as one line, or as paragraphs with blank lines between them. */
export const tidy = (text: string): string =>
  /\n\s*\n/.test(text.trim()) ? text.trim() : clean(text);

/** The paragraphs of a text, which blank lines separate. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map(clean)
    .filter((paragraph) => paragraph !== '');
