/** The parts of a prompt that the rules understand. */

export type Field = 'headline' | 'title' | 'description';

/** How a prompt names a page: by slug, by its title (quoted or not), or as the home page. */
export type PageName = { slug: string } | { title: string };

/** Which pages an instruction is for; null where the prompt names something that is no page. */
export type Scope = PageName[] | 'everywhere' | null;

export type Instruction =
  /** `old`: the text that the field must have now. */
  | { kind: 'set'; field: Field; page: PageName | null; text: string; old?: string }
  /**
   * `pages` null: wherever the text stands, if that is one page; a misspelled word (`anyCase`) on
   * all.
   */
  | { kind: 'replace'; from: string; to: string; pages: Scope; anyCase?: true }
  /** `links`: the links to the pages go too. */
  | { kind: 'delete'; pages: PageName[]; links?: true }
  /** `name` is the title and the headline. */
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
   * A link or button by its text `now`, and `old`, where it must lead now: another text, another
   * target, or both.
   */
  | {
      kind: 'link';
      element: 'link' | 'button';
      now: string;
      old?: string | PageName;
      target?: string | PageName;
      text?: string;
      pages: Scope;
    }
  /** An image by its present text or its file's name. */
  | { kind: 'alt'; image: string; page: PageName | null; text: string }
  /**
   * A text by what it says `now`, or by its place: `position` (from 1, -1 for the last) under the
   * heading `section`.
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
   * A new member of the group under the heading `section`, behind the member that says `after` (the
   * last one), with its texts in order.
   */
  | ({
      kind: 'add';
      item: ItemKind;
      texts: string[];
      section?: string;
      after?: string;
      page: PageName | null;
    } & Noun)
  /** The member that says `now`, or that stands at a position (from 1, -1 for the last). */
  | ({
      kind: 'remove';
      item: ItemKind;
      now?: string;
      position?: number;
      section?: string;
      page: PageName | null;
    } & Noun)
  /**
   * Two members of a group change places: by what they say, by their positions, or the only two.
   */
  | ({
      kind: 'swap';
      item: ItemKind;
      members: (string | number)[];
      section?: string;
      page: PageName | null;
    } & Noun)
  /**
   * A section by its heading, or a table by its caption or heading ('' for the only one of the
   * page).
   */
  | { kind: 'remove-section'; what: 'section' | 'table'; name: string; page: PageName | null }
  /** `first`: behind the headline. There `other` is the one that is at that end now. */
  | {
      kind: 'move-section';
      name: string;
      where: 'before' | 'after' | 'first' | 'last';
      other?: string;
      page: PageName | null;
    }
  /** An entry of the navigation on every page that has it. */
  | { kind: 'menu'; change: 'add'; page: PageName; text?: string; after?: string }
  | { kind: 'menu'; change: 'rename'; now: string; text: string }
  | { kind: 'menu'; change: 'remove'; now: string | PageName }
  /** Wherever the site has the number or address, or on some pages only. */
  | { kind: 'contact'; what: 'telephone' | 'email'; from?: string; to: string; pages?: PageName[] }
  | { kind: 'company'; from?: string; to: string }
  /** Without a year: this one. `from`: the one that it must be now. */
  | { kind: 'year'; from?: string; year?: string }
  /**
   * `per`: what the price is said to be for. Of a package, or every price that is `from` now: one
   * of the two is there.
   */
  | { kind: 'price'; name?: string; from?: string; to: string; per?: PriceUnit; pages: Scope }
  | { kind: 'raise'; percent: number; pages: Scope }
  /**
   * `hours` as it is to be shown, `null` for closed; with `edge` only when the days open or close.
   * Days from 0 for Monday.
   */
  | {
      kind: 'hours';
      days: number[];
      hours: string | null;
      edge?: 'opens' | 'closes';
      page: PageName | null;
    }
  /** A new page as `generate_pages` makes it. */
  | { kind: 'generate'; slug: string; from: PageName; subject: string };

/** For how long, or for whom, a price is. */
export type PriceUnit = 'month' | 'year' | 'week' | 'day' | 'hour' | 'person';

/**
 * What a prompt calls a member of a group, where its group's heading may say so too: `testimonial`.
 */
type Noun = { noun?: string };

/** A prompt's name for a member of a group. */
export type ItemKind = 'list-item' | 'card' | 'question' | 'table-row' | 'any';

const FIELDS: [Field, RegExp][] = [
  ['description', /description/],
  ['title', /^(?:page|meta|seo|browser|html)? ?title(?: tag)?$/],
  ['headline', /./],
];

/** The field that a phrase of the grammar names. */
export const fieldOf = (phrase: string): Field =>
  FIELDS.find(([, pattern]) => pattern.test(phrase.toLowerCase().trim()))![0];
