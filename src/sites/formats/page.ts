export type SlotRole =
  | 'title'
  | 'description'
  | 'social-title'
  | 'social-description'
  | 'heading'
  | 'paragraph'
  | 'list-item'
  | 'table-cell'
  | 'link'
  | 'button'
  | 'image-alt'
  | 'caption'
  | 'structured-data'
  | 'svg-text'
  | 'other';

/**
 * One text of a page that a reader or a search engine sees.
 *
 * `text` is plain text with entities decoded and white space as a reader sees it. Inline markup
 * appears as numbered parts: `Call <a href="tel:1">us</a> <b>today</b><br>` reads `Call <1>us</1>
 * <2>today</2><3/>`. A text given back must hold every part once, properly nested; a literal `<1>`
 * is written `\<1>`.
 */
export interface Slot {
  id: string;
  role: SlotRole;
  /** Heading level 1 to 6 for role `heading`. */
  level?: number;
  /** The nearest heading above, in the page's own words; null before the first one. */
  section: string | null;
  text: string;
  /** For each numbered part: the element's name (`a`, `b`, `br` …); parts[0] is part 1. */
  parts: string[];
  /** For structured data: the JSON path of the string, e.g. `name`, `address.streetAddress`. */
  jsonPath?: string;
  /** True for a name of the value behind it: `dt`, and `th` before the only `td` of its row. */
  label?: true;
  /**
   * True for site chrome: the same text stands at the same place of sister pages. No slot of
   * generate_pages.
   */
  locked: boolean;
}

/** Whether a slot is a page's headline. */
export const isHeadline = ({ role, level }: Pick<Slot, 'role' | 'level'>) =>
  role === 'heading' && level === 1;

/** New texts by slot id; slots that are not named keep their bytes. */
export type SlotTexts = Record<string, string>;

/** A slot as people edit it: the texts between its marks, which they can neither move nor lose. */
export interface EditableText extends Pick<Slot, 'id' | 'role' | 'level' | 'section' | 'jsonPath'> {
  /** One more than there are marks. */
  texts: string[];
  /** The tags that stand between the texts: `a`, `/a`, `br`. */
  marks: string[];
}

/** New texts by slot id, each with all its texts between marks. */
export type TextEdits = Record<string, string[]>;

export type GroupRole = 'list-item' | 'card' | 'question' | 'table-row' | 'other';

/**
 * Repeated blocks of a page: siblings of one build that stand side by side, such as the cards of a
 * grid.
 */
export interface SlotGroup {
  id: string;
  role: GroupRole;
  /** The nearest heading above, in the page's own words; null before the first one. */
  section: string | null;
  /**
   * For each member the ids of its slots, in document order. A slot of a group inside a member is
   * in both groups.
   */
  members: string[][];
  /** Index of the member that new ones are clones of: the last one that is built as most are. */
  pattern: number;
}

/**
 * How many members groups get, by group id. Members go from the end, clones of the pattern come at
 * the end. A slot of the nth clone has `+n` behind its element's number (`s12+1.alt`), and so have
 * the groups inside it (`g14+1`).
 */
export type GroupCounts = Record<string, number>;
/** A block of a page that can go without its neighbours. */
export interface Block {
  /** `s` with the number of its first element. */
  id: string;
  /** The block around it, null for an outermost one. */
  around: string | null;
  /**
   * Whether it goes as a whole: a paragraph, a row, a figure. Any other goes when nothing is left
   * in it.
   */
  isUnit: boolean;
  /** Ids of its texts, without those of the blocks in it. */
  slots: string[];
  /**
   * Those of its texts that only name what stands below them: headings, captions and heads of
   * tables.
   */
  labels: string[];
  /**
   * Elements to look at or to fill in, without those of the blocks in it: pictures, frames, forms
   * (`s12`).
   */
  media: string[];
  /**
   * Its ids that links lead to, each with the blocks that the links stand in; without those of the
   * blocks in it.
   */
  linked: { id: string; from: (string | null)[] }[];
}

export type ClaimKind = 'quote' | 'rating' | 'map' | 'coordinates';

/** What a page claims by how it is built, beside the facts in its texts: a quote, stars, a map. */
export interface Claim {
  /**
   * Of its element (`s12`), or of its value in structured data (`s12.3`) or in the head
   * (`s7.content`).
   */
  id: string;
  kind: ClaimKind;
  /** What it says, or its name for people. */
  text: string;
  /** Ids of its texts in document order. A map may have none. */
  slots: string[];
  /** The texts among them that name who says it. */
  byline: string[];
}

/** Most members that a group may be set to. */
export const MOST_MEMBERS = 12;

/** A part of a page with a heading of its own, or a table. */
export interface Section {
  id: string;
  kind: 'section' | 'table';
  /** Its heading, or the table's caption, else the heading above it. */
  name: string;
  /** The heading above a table. */
  above?: string;
  /** Level of the heading, from 1; 0 for a table. */
  level: number;
}

/** Classes of an entry's link and of its list item, and the link's `aria-current`. */
export interface Marks {
  link: string[];
  block: string[];
  current?: string;
}

/**
 * An entry of a navigation; `link` is its link's id, `marks` are there where it is the page's own
 * and marked so.
 */
export interface MenuEntry {
  text: string;
  link: string;
  slug?: string;
  marks?: Marks;
  /** Whether it is of what people call the navigation, and not the site's name in it. */
  isMain?: true;
}

/**
 * One entry of `openingHoursSpecification` in structured data (schema.org): days from 0 for Monday,
 * ids of slots.
 */
export interface StatedHours {
  days: number[];
  opens: string;
  closes: string;
}

export interface PageLink {
  id: string;
  role: 'link' | 'button';
  /** What a reader sees of it, or hears: its text, else its label, else its image's. */
  text: string;
  href: string;
  /** The page of this site that it leads to. */
  slug?: string;
}

export interface PageImage {
  id: string;
  /** The file's name, '' for an image that is part of the page's source. */
  file: string;
  alt: string;
}

/** The address of a link of a page, or the file of an image of it, as people change it. */
export interface PageAddress {
  /** `s12.href` or `s12.src` */
  id: string;
  kind: 'link' | 'image';
  /** What it is called on the page, '' where it has no name. */
  name: string;
  /**
   * A path from the site's root, also where the page writes a relative one; anything else as it
   * stands there.
   */
  value: string;
}

/** What a text or link says, and where it stands, in words that hold on sister pages too. */
export interface Place {
  says: string;
  at: string;
  /** How many of the same stand before it at the same place. */
  nth: number;
}

/** Names of the days of the week, from Monday, as structured data has them. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
