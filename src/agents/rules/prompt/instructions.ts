/** Fields of a page that an instruction can set. */

export type Field = 'headline' | 'title' | 'description';

/** How a prompt names a page: by slug, by its title (quoted or not), or as the home page. */
export type PageName = { slug: string } | { title: string };

/** The pages that an instruction is for. null if the prompt names none. */
export type Scope = PageName[] | 'everywhere' | null;

/** `stop`: the new text has no quotes, and a full stop behind it ends the sentence. */
type Stop = { stop?: true };

export type Instruction =
  /** `old`: the field's current text, if the prompt gives it. */
  | ({ kind: 'set'; field: Field; page: PageName | null; text: string; old?: string } & Stop)
  /**
   * `pages` null: the only page with the text. With `anyCase`, a misspelled word: it is corrected
   * on all pages.
   */
  | ({ kind: 'replace'; from: string; to: string; pages: Scope; anyCase?: true } & Stop)
  /** `links`: also remove the links to these pages. */
  | { kind: 'delete'; pages: PageName[]; links?: true }
  /** `name`: the new page's title and headline. */
  | {
      kind: 'create';
      slug: string;
      from: PageName;
      name?: string;
      fields: { field: Field; text: string }[];
      replacements: { from: string; to: string }[];
    }
  | { kind: 'move'; page: PageName; to: string }
  /**
   * Changes the text of a link or button, its target, or both. The link is found by its current
   * text `now` and, if given, its current target `old`.
   */
  | ({
      kind: 'link';
      element: 'link' | 'button';
      now: string;
      old?: string | PageName;
      target?: string | PageName;
      text?: string;
      pages: Scope;
    } & Stop)
  /** `image`: the image's current alt text or file name. */
  | { kind: 'alt'; image: string; page: PageName | null; text: string }
  /**
   * Changes a text. It is found by its current text `now`, or by its place: `position` (from 1, -1
   * for the last) under the heading `section`.
   */
  | {
      kind: 'text';
      role: 'paragraph' | 'list-item' | 'heading';
      now?: string;
      section?: string;
      position?: number;
      page: PageName | null;
      text: string;
    }
  /**
   * Adds a member with these texts to the group under the heading `section`. It goes behind the
   * member with the text `after`, or to the end.
   */
  | ({
      kind: 'add';
      item: ItemKind;
      texts: string[];
      section?: string;
      after?: string;
      page: PageName | null;
    } & Noun)
  /** Removes the member with the text `now`, or the one at a position (from 1, -1 for the last). */
  | ({
      kind: 'remove';
      item: ItemKind;
      now?: string;
      position?: number;
      section?: string;
      page: PageName | null;
    } & Noun)
  /**
   * Swaps two members of a group. They are found by their texts or positions, or are the only two.
   */
  | ({
      kind: 'swap';
      item: ItemKind;
      members: (string | number)[];
      section?: string;
      page: PageName | null;
    } & Noun)
  /** `name`: a section's heading, or a table's caption or heading. '' for the page's only table. */
  | { kind: 'remove-section'; what: 'section' | 'table'; name: string; page: PageName | null }
  /**
   * `first`: right behind the headline's section. With `first` and `last`, `other` is the section
   * that is there now.
   */
  | {
      kind: 'move-section';
      name: string;
      where: 'before' | 'after' | 'first' | 'last';
      other?: string;
      page: PageName | null;
    }
  /** Changes an entry of the navigation on every page that has the entry. */
  | { kind: 'menu'; change: 'add'; page: PageName; text?: string; after?: string }
  | ({ kind: 'menu'; change: 'rename'; now: string; text: string } & Stop)
  | { kind: 'menu'; change: 'remove'; now: string | PageName }
  /** Changes a telephone number or e-mail address, everywhere or on some pages. */
  | { kind: 'contact'; what: 'telephone' | 'email'; from?: string; to: string; pages?: PageName[] }
  | ({ kind: 'company'; from?: string; to: string } & Stop)
  /** `year`: the new year; default: the current one. `from`: the year that is there now. */
  | { kind: 'year'; from?: string; year?: string }
  /**
   * `name`: the package whose price changes. Without it, every price `from` changes. `per`: the
   * price's unit in the prompt.
   */
  | { kind: 'price'; name?: string; from?: string; to: string; per?: PriceUnit; pages: Scope }
  | { kind: 'raise'; percent: number; pages: Scope }
  /**
   * `days`: 0 for Monday. `hours`: null for closed. With `edge`, only the opening or closing time.
   */
  | {
      kind: 'hours';
      days: number[];
      hours: string | null;
      edge?: 'opens' | 'closes';
      page: PageName | null;
    }
  /** Creates a page for another subject, in the same way as `generate_pages`. */
  | { kind: 'generate'; slug: string; from: PageName; subject: string };

/** What a price is for: a period or a person. */
export type PriceUnit = 'month' | 'year' | 'week' | 'day' | 'hour' | 'person';

/**
 * The prompt's word for a member, such as `testimonial`. It helps to find the group by its heading.
 */
type Noun = { noun?: string };

/** Kind of a member of a group. */
export type ItemKind = 'list-item' | 'card' | 'question' | 'table-row' | 'any';

const FIELDS: [Field, RegExp][] = [
  ['description', /description/],
  ['title', /^(?:page|meta|seo|browser|html)? ?title(?: tag)?$/],
  ['headline', /./],
];

/** The field that a phrase means. The phrases are those of `FIELD` in synonyms.ts. */
export const fieldOf = (phrase: string): Field =>
  FIELDS.find(([, pattern]) => pattern.test(phrase.toLowerCase().trim()))![0];
