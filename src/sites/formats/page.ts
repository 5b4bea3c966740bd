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
  /** True for the name of a value: `dt`, and `th` before the only `td` of its row. */
  label?: true;
  /** True for the site's chrome: other pages have the same text at the same place. */
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
 * Repeated blocks of a page: adjacent siblings that are built alike, such as the cards of a grid.
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
  /** Index of the member that is cloned for new ones: the last that is built as most are. */
  pattern: number;
}

/**
 * The number of members that groups get, by group id. Members are removed from the end, and clones
 * added at the end. A slot of the nth clone has `+n` behind its element's number (`s12+1.alt`), and
 * so have the groups inside it (`g14+1`).
 */
export type GroupCounts = Record<string, number>;

/** A block of a page that can be removed without its neighbours. */
export interface Block {
  /** `s` with the number of its first element. */
  id: string;
  /** The block around it, null for an outermost one. */
  around: string | null;
  /** Whether it is removed as a whole, like a paragraph. Others are removed when they are empty. */
  isUnit: boolean;
  /** Ids of its texts, without those of blocks in it. */
  slots: string[];
  /** Those of its texts that only name what is below them: headings, captions, heads of tables. */
  labels: string[];
  /** Its pictures, frames and form fields (`s12`), without those of blocks in it. */
  media: string[];
  /** Its ids that links lead to, with the blocks of these links; without those of blocks in it. */
  linked: { id: string; from: (string | null)[] }[];
}

export type ClaimKind = 'quote' | 'rating' | 'map' | 'coordinates';

/**
 * A claim that a page makes by its markup, beside the facts in its texts: a quote, stars, a map.
 */
export interface Claim {
  /**
   * Of its element (`s12`), or of its value in structured data (`s12.3`) or in the head
   * (`s7.content`).
   */
  id: string;
  kind: ClaimKind;
  /** Its text, or what people call it. */
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

/** An entry of a navigation; `link` is its link's id. The current page's entry may have `marks`. */
export interface MenuEntry {
  text: string;
  link: string;
  slug?: string;
  marks?: Marks;
  /** Whether it is an entry of the main navigation, and not the site's name. */
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
  /** Its text, else its label, else its image's. */
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

/** The address of a link, or the file of an image, as people change it. */
export interface PageAddress {
  /** `s12.href` or `s12.src` */
  id: string;
  kind: 'link' | 'image';
  /** What it is called on the page, '' where it has no name. */
  name: string;
  /**
   * A path from the site's root, even if the page has a relative one; others as the page has them.
   */
  value: string;
}

/** The content and position of a text or link, to find it on other pages of the site. */
export interface Place {
  says: string;
  at: string;
  /** How many of the same are before it at the same position. */
  nth: number;
}

/** Names of the days of the week, from Monday, as structured data has them. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
