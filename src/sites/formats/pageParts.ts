/** What a text is on its page. It follows from the element around it. */
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
 * `text` is plain text with entities decoded and white space as a reader sees it. Inline tags
 * appear as numbered parts: `Call <a href="tel:1">us</a> <b>today</b><br>` reads `Call <1>us</1>
 * <2>today</2><3/>`. A new text must contain every part once, nested as before. A literal `<1>` is
 * written `\<1>`.
 */
export interface TextSlot {
  id: string;
  role: SlotRole;
  /** Heading level 1 to 6 for role `heading`. */
  level?: number;
  /** Text of the nearest heading above; null before the first heading. */
  section: string | null;
  text: string;
  /** The element name (`a`, `b`, `br` …) of each numbered part; `parts[0]` is part 1. */
  parts: string[];
  /** For structured data: the JSON path of the string, e.g. `name`, `address.streetAddress`. */
  jsonPath?: string;
  /** True if the text names the value after it: a `dt`, or a `th` before its row's only `td`. */
  label?: true;
  /**
   * Numbers in the text for which the rest of the page shows whether they are telephone numbers
   * (true) or not (false), when the text alone suggests the opposite.
   */
  numbers?: Record<string, boolean>;
  /**
   * For a text that names what the page is about, and that most other pages of its folder have too.
   * `entry`: the page's entry in a list of pages. A new page keeps it, and gets one of its own with
   * the new text. `text`: any other text, which is not about the page.
   */
  shared?: 'entry' | 'text';
  /** True for a paragraph that all other pages of its folder have, such as a brand. */
  common?: true;
  /**
   * True for the site's chrome (header, navigation, footer): other pages have the same text at the
   * same place.
   */
  locked: boolean;
}

/**
 * A text of a page that is not a slot and is kept byte for byte, though it may say something about
 * the page's subject: a line of front matter, a template tag, or structured data that cannot be
 * read.
 */
export interface OpaqueText {
  kind: 'front matter' | 'template tag' | 'unread data';
  text: string;
}

/** Whether a slot is a page's headline. */
export const isHeadline = ({ role, level }: Pick<TextSlot, 'role' | 'level'>) =>
  role === 'heading' && level === 1;

/** The roles of texts in a page's head, and in its structured data. */
const UNSEEN_ROLES = new Set<SlotRole>([
  'title',
  'description',
  'social-title',
  'social-description',
  'structured-data',
]);
/** Whether texts with this role are in the page's head or data, and not on the page itself. */
export const isUnseenRole = (role: SlotRole): boolean => UNSEEN_ROLES.has(role);

/** New texts by slot id. Slots without an entry keep their bytes. */
export type SlotTexts = Record<string, string>;

/**
 * A slot for editing by people. They edit the texts between the inline tags, and cannot move or
 * remove the tags.
 */
export interface EditableSlot extends Pick<
  TextSlot,
  'id' | 'role' | 'level' | 'section' | 'jsonPath'
> {
  /** The texts before, between and after `marks`: one more than `marks` has. */
  texts: string[];
  /** The inline tags between the texts: `a`, `/a`, `br`. */
  marks: string[];
}

/** New texts by slot id. Each entry replaces all `texts` of its `EditableSlot`. */
export type TextEdits = Record<string, string[]>;

/** What the members of a group are. */
export type GroupRole = 'list-item' | 'card' | 'question' | 'table-row' | 'other';

/** Repeated blocks of a page: adjacent siblings with the same structure, such as cards. */
export interface SlotGroup {
  id: string;
  role: GroupRole;
  /** Text of the nearest heading above; null before the first heading. */
  section: string | null;
  /** The slot ids of each member, in order. A slot in a nested group belongs to both groups. */
  members: string[][];
  /** Index of the member to clone for new ones: the last member with the most common structure. */
  pattern: number;
}

/**
 * The new members of a group: their number, and the indexes of the old ones that stay, in rising
 * order.
 */
export interface MemberSelection {
  members: number;
  keep: number[];
}

/**
 * The new number of members, by group id. Members are removed from the end, unless those that stay
 * are named, and clones are added at the end. In the nth clone, `+n` follows the element's number
 * in the ids of slots (`s12+1.alt`) and of nested groups (`g14+1`).
 */
export type GroupSizes = Record<string, number | MemberSelection>;

/** A block of a page that can be removed without changing its neighbours. */
export interface TemplateBlock {
  /** `s` with the number of its first element. */
  id: string;
  /** Id of the block around it; null for an outermost block. */
  around: string | null;
  /** True if it is removed as a whole, like a paragraph. Others are removed once they are empty. */
  isUnit: boolean;
  /** Ids of its slots, except those in nested blocks. */
  slots: string[];
  /** The ids in `slots` of texts that only name what follows: headings, captions, table headers. */
  labels: string[];
  /** Ids of its images, frames and form fields (`s12`), except those in nested blocks. */
  media: string[];
  /**
   * Its HTML ids that links point to, except those in nested blocks. `from` has the block of each
   * of these links, or null for a link outside of all blocks.
   */
  linked: { id: string; from: (string | null)[] }[];
}

/** What a page claims with its markup: see `PageClaim`. */
export type ClaimKind = 'quote' | 'rating' | 'map' | 'coordinates';

/**
 * Something that a page claims with its markup and that may be false on a new page: a quote, a star
 * rating, a map.
 */
export interface PageClaim {
  /**
   * Id of its element (`s12`), of its value in structured data (`s12.3`), or of its `meta` element
   * (`s7.content`).
   */
  id: string;
  kind: ClaimKind;
  /** The quote, the stars, the coordinates, or a name of the map. */
  text: string;
  /** Ids of its slots in document order. A map may have none. */
  slots: string[];
  /** The ids in `slots` of texts that name the author of a quote. */
  byline: string[];
}

/** The highest number of members that a group can be set to. */
export const MAX_MEMBERS = 12;

/** A part of a page that has its own heading, or a table. */
export interface PageSection {
  id: string;
  kind: 'section' | 'table';
  /** The text of its heading or of the table's caption, else of the heading above the table. */
  name: string;
  /** Only for a table: the text of the heading above it. */
  above?: string;
  /** Level of the heading, 1 to 6; 0 for a table. */
  level: number;
}

/**
 * How a site marks the navigation entry of the current page: the classes of its link and of its
 * list item, and the link's `aria-current`.
 */
export interface EntryMarks {
  link: string[];
  block: string[];
  current?: string;
}

/**
 * An entry of a navigation. `link` is the id of its link, `slug` the page that it leads to. Only
 * the current page's entry can have `marks`.
 */
export interface MenuEntry {
  text: string;
  link: string;
  slug?: string;
  marks?: EntryMarks;
  /** True for an entry of the main navigation, except the site's name or logo. */
  isMain?: true;
}

/** A link of a page (`a` or `area`). Its id ends with the attribute: `s12.href`. */
export interface PageLink {
  id: string;
  role: 'link' | 'button';
  /** Its text, else its `aria-label`, else the label or alternative text of an image in it. */
  text: string;
  href: string;
  /** Slug of the page that it leads to; absent if it leads to no page of this site. */
  slug?: string;
}

/** A link of a template's own content. */
export interface TemplateLink extends PageLink {
  /** Ids of the texts in it, or of the text that it stands in. */
  slots: string[];
}

/** An image of a page. Its id ends with the attribute of its alternative text: `s12.alt`. */
export interface PageImage {
  id: string;
  /** The file's name; '' for an image embedded in the page (`data:`). */
  file: string;
  /** The file's path relative to the site's root; '' if it is not a file of the site. */
  path: string;
  alt: string;
}

/** The URL of a link or an image, for editing by people. */
export interface EditableUrl {
  /** `s12.href` or `s12.src` */
  id: string;
  kind: 'link' | 'image';
  /** The name of the link, or the image's alternative text; '' for none. */
  name: string;
  /**
   * For a URL in this site, its path from the site's root, even if the page has a relative one. Any
   * other URL is as in the page.
   */
  value: string;
}
