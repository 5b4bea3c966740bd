import type { CellRemark } from '../../contract/check.ts';

/** The content of an item's context, in any format. */
export interface ContextData {
  format: 'json' | 'yaml' | 'csv' | 'lines' | 'markdown' | 'prose';
  fields: Field[];
  sections: Section[];
  /** Paragraphs without their own heading. */
  paragraphs: string[];
  /** Everything that was given, to look names up in. */
  source: string;
  /** What a person should know of how it was read. */
  notes?: string[];
  /** What was wrong with its values: see `judged`. */
  remarks?: CellRemark[];
}

/**
 * A named value; several values where the context has a list. `key` is folded: lower case, words
 * parted by one space.
 */
export interface Field {
  key: string;
  values: string[];
  /** True for a list of one. */
  isList?: true;
}

/**
 * A part with content of its own. `name` is the key or heading that finds its place; `heading` is
 * text to be shown, where there is any.
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

/** What the formats of a context are read into. */
export type Parts = Pick<ContextData, 'fields' | 'sections' | 'paragraphs'>;

/** A section that has only what is given. */
export const newSection = (name: string, given: Partial<Section> = {}): Section => ({
  name,
  heading: null,
  paragraphs: [],
  items: [],
  sections: [],
  ...given,
});

/**
 * One line of plain text: no control characters, no doubled spaces. Those that hold digits together
 * stay.
 */
export const clean = (text: string): string =>
  text
    .replace(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .replace(/(?<=\d)([\u00A0\u2009\u202F])(?=\d)|\s+/g, (_, held?: string) => held ?? ' ')
    .trim();

/** A value: one line, but for the blank lines that part its paragraphs. */
export const tidy = (text: string): string =>
  /\n\s*\n/.test(text.trim()) ? text.trim() : clean(text);

/** Paragraphs of a longer text: what blank lines part. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map(clean)
    .filter((paragraph) => paragraph !== '');
