import type { PageFile } from '../../contract/site.ts';
import type { Contacts } from '../../contract/task.ts';
import type {
  SiteTarget,
  PageMove,
  EntryName,
  NewEntry,
  PageIds,
  Rebuilt,
  MarkupSite,
  LanguagePair,
  LinkedPage,
  MergedBlocks,
  LinkingPage,
} from './changes.ts';
import type { Fault, Gain, Doubled, Outsider } from './faults.ts';
import type {
  Block,
  Claim,
  EditableText,
  GroupCounts,
  Slot,
  SlotGroup,
  SlotTexts,
  TextEdits,
  Section,
  MenuEntry,
  StatedHours,
  PageAddress,
  PageImage,
  PageLink,
  Place,
} from './page.ts';
import type { LinkAnswer, LinkedTemplate } from './linkBlocks.ts';

/** A page's file: its path relative to the site's root, and its text. */
export interface PageSource {
  path: string;
  source: string;
  /** The numbers of its elements, if a task changed which there are: ids stay the same. */
  ids?: PageIds;
}

/** A change of a group: of its members. */
export type GroupChange =
  /** Members of a group by their index, in their order, and clones of its pattern. */
  | { kind: 'members'; group: string; order: (number | 'clone')[] }
  /** Two members of a group change places, byte for byte. */
  | { kind: 'exchange'; group: string; members: [number, number] };

export type SectionChange =
  | { kind: 'remove-section'; id: string }
  | { kind: 'move-section'; id: string; where: 'before' | 'after'; other: string }
  /** A new section behind another one: a copy from a page of the site, or new markup. */
  | {
      kind: 'insert-section';
      after: string;
      from?: { page: PageSource; section: string };
      html?: string;
      site: MarkupSite;
    }
  /** Removes all sections but these, and but those around them and in them. */
  | { kind: 'keep-sections'; sections: string[] };

export type MenuChange =
  | { kind: 'add-entry'; entry: NewEntry }
  | { kind: 'remove-entries'; name: EntryName };

/** Links to a page become text, and entries of the navigation that lead there go. */
export type LinkChange = { kind: 'drop-links'; slug: string };

/** A change of which elements a page has; its texts keep their ids. */
export type PageChange = GroupChange | SectionChange | MenuChange | LinkChange;

export interface PageContent {
  slug: string;
  title: string;
  slots: Slot[];
}

/** What people can edit of a page. */
export interface PageTexts {
  title: string;
  texts: EditableText[];
  addresses: PageAddress[];
}

export interface TemplateContent {
  slug: string;
  /** Every slot of the template; those of the site's chrome are `locked`. */
  slots: Slot[];
  /** Repeated blocks of the template; none of the site's chrome. */
  groups: SlotGroup[];
  /** Quotes, stars and maps of the template; none of the site's chrome. */
  claims: Claim[];
  /** Blocks of the template that can go. */
  blocks: Block[];
  /** Digest of the slots and groups. It differs if a later version of the code finds others. */
  digest: string;
}

export interface NewPage {
  template: PageSource;
  target: PageFile;
  texts: SlotTexts;
  /** How many members the template's groups get. Throws INVALID_INPUT for an unknown group. */
  groups?: GroupCounts;
  /**
   * Ids of blocks and of values in structured data that go. Throws INVALID_INPUT where one can't.
   */
  removed?: string[];
  /** BCP 47 tag of the page's language; absent: the template's. */
  lang?: string;
  /**
   * ISO 3166-1 code of the country of telephone numbers without its code; absent: the template's
   * number tells it.
   */
  country?: string;
  /** E-mail address and telephone number for links that show neither; absent: the template's. */
  contacts?: Contacts;
  /** Every file of the site below its root, to tell pages from folders when links are re-based. */
  sitePaths: string[];
  /**
   * Digest of the template's slots when the texts were written. Throws CHANGED_BY_DEPLOY when it
   * differs now.
   */
  digest: string;
  sisters: PageSource[];
}

/** A page after a change, and what it was made from. */
export interface PageCheck {
  /** The page's file, relative to the site's root. */
  path: string;
  /**
   * The page before, or the template of a new page; null for a page that was made from no other.
   */
  before: PageSource | null;
  after: string;
  /** Every file of the site with the change, relative to its root; no symbolic links. */
  sitePaths: string[];
  /** Files that the same change deletes. */
  deleted?: string[];
  /** Ids of the template's blocks that a new page lacks: links into them may lead nowhere. */
  removed?: string[];
  /** Whether links may lead to hosts that `before` did not link to. What is loaded never may. */
  newLinks: boolean;
}

/** The first faults of a page, by line, and how many more it has. */
export interface PageFaults {
  faults: Fault[];
  more: number;
  /** What the page has that its former version had not. Another page of the site may have it. */
  gains: Gain[];
  /** Whom the page newly leads to, asks or names outside of the site. */
  outsiders: Outsider[];
  /** What is newly more than once in a navigation or list. */
  doubled: Doubled[];
}

/** Asks a page for its block that stands for a template. */
export interface LinkQuestion {
  page: PageSource;
  /** Pages that show what of it is the site's chrome. */
  sisters: PageSource[];
  template: LinkedTemplate;
}

export interface AddLinks extends LinkQuestion {
  items: LinkedPage[];
  /** Every file of the site below its root. */
  sitePaths: string[];
}

/** A page that a task added blocks to, and that others changed meanwhile. */
export interface MergeLinks {
  /** The page as the task found it. */
  before: string;
  task: string;
  /** The page as others left it. */
  page: PageSource;
  /** The pages that the task wrote. */
  slugs: string[];
}

/** How a page is shown for editing. */
export interface Framing {
  /** The page's own address, which its relative ones start from. */
  url: string;
  /** Markup that comes first in the page. */
  head: string;
  /**
   * Name of the attribute that marks a text to edit: its value is the slot's id, a space, and which
   * text between its parts it is.
   */
  attribute: string;
}

export interface PageIdentity {
  /** BCP 47 tag (`lang`). */
  language: string | null;
  /**
   * Where its site is, by its canonical address: `www.example.com`, with a folder if it has one.
   */
  home: string | null;
}

/** What a language model wants to read of a page. */
export interface OutlineQuestion {
  page: PageSource;
  /** Pages that show what of it is the site's chrome. */
  sisters: PageSource[];
  /** The page's own texts, if not given. */
  part?: 'texts' | 'chrome';
  /** The id of the first line; else all from the first one on. */
  from?: string;
  /** Only this group, of either part. */
  group?: string;
  /** Only from the first of these texts to the last one, by their ids. */
  texts?: string[];
}

/** What the names of a format's files tell. Nothing here reads a page. */
export interface PathRules {
  /** What messages call the format: `HTML`. */
  label: string;
  /** Whether the file at `path` (relative to the site's root) is a page of this format. */
  handles(path: string): boolean;
  /** The slug of the page at `path`: `index.html` -> `/`, `a/index.html` and `a.html` -> `/a`. */
  slugOf(path: string): string;
  /**
   * The file for a new page at `slug`, by the convention of `siblingPath` (the template's file):
   * `x.html` or `x/index.html`.
   */
  pathOf(slug: string, siblingPath: string): string;
}

/**
 * The calls that every format answers. Every call is pure. Those that change a page return its new
 * source, with every other byte as it was.
 */
export interface FormatCore {
  /** Title and slots of a page. */
  read(page: PageSource): PageContent;
  /**
   * A page for a language model: a line for each text, link and image, with its id; at most about
   * 24,000 characters, the last line names the id to read on from. Throws NOT_FOUND for an unknown
   * `from`, INVALID_INPUT for an unknown group.
   */
  outline(question: OutlineQuestion): string;
  /**
   * The HTML of a section, table or group, or of what is around an id: 8,000 characters at most.
   * Throws NOT_FOUND.
   */
  markup(page: PageSource, id: string): string;
  /** The ids nearest to one that the page does not have, in words. */
  nearIds(page: PageSource, id: string): string;
  /**
   * What texts are called in an outline: `h3`, `og:title`, `offers[0].name`; '' for an unknown id.
   */
  kinds(page: PageSource, ids: string[]): string[];
  /** The places of texts and links (`s12.href`), which hold on sister pages; null if unknown. */
  places(page: PageSource, ids: string[]): (Place | null)[];
  /** The ids of the same texts and links at the same places of another page; null for none. */
  atPlaces(page: PageSource, places: (Place | null)[]): (string | null)[];
  /** The id of the link with an id, around it, or of the only one in it. Throws NOT_FOUND. */
  linkId(page: PageSource, id: string): string;
  /**
   * Changes an image's file and text. Throws NOT_FOUND for an unknown id, INVALID_INPUT for a file
   * that is no picture.
   */
  setImage(page: PageSource, change: { id: string; target: SiteTarget; alt: string }): string;
  /** A template. What it shares with its sister pages is the site's chrome, which is locked. */
  readTemplate(template: PageSource, sisters: PageSource[]): TemplateContent;
  /** What people can edit: texts, taken apart at their inline marks, links and images. */
  readTexts(page: PageSource): PageTexts;
  /** Replaces texts of slots. */
  setTexts(page: PageSource, texts: SlotTexts): string;
  /**
   * The same with texts as `readTexts` gives them. Throws INVALID_INPUT for more or fewer of them.
   */
  setEditedTexts(page: PageSource, edits: TextEdits): string;
  /** Opening hours in a page's structured data. */
  hours(page: PageSource): StatedHours[];
  /** Ids of the texts in a page's footer; null where it has none. */
  footer(page: PageSource): string[] | null;
  /**
   * A new page: the template's bytes with other texts, other numbers of members in groups, and its
   * own place in the site (relative URLs, canonical, og:url, JSON-LD ids).
   */
  create(page: NewPage): string;
  /** The addresses of links that lead to `slug`, as the page has them. */
  linksTo(page: PageSource, slug: string): string[];
  /** Links of a page in document order, those that look like buttons among them. */
  links(page: PageSource): PageLink[];
  /** Images of a page in document order. */
  images(page: PageSource): PageImage[];
  /** Ids of a page that a fragment of an address can name. */
  anchors(page: PageSource): string[];
  /**
   * Changes where a link leads: an address, or a page or file of the site. Throws INVALID_INPUT.
   */
  setLink(page: PageSource, id: string, target: string | SiteTarget): string;
  /** Changes an image's text. Throws INVALID_INPUT for an unknown id. */
  setAlt(page: PageSource, id: string, text: string): string;
  /** Updates a page after it moved, or after another page of its site did. */
  move(page: PageSource, move: PageMove): string;
  /** The block of a page's content that leads to a template, and the pages that it leads to. */
  linkBlock(question: LinkQuestion): LinkAnswer;
  /** Adds a clone of that block for each new page. Throws INVALID_INPUT where it has none. */
  addLinks(change: AddLinks): string;
  /** Adds a task's blocks to another version of their page; null if the task changed more. */
  mergeLinks(merge: MergeLinks): MergedBlocks | null;
  /** The pages whose content links to `slug`. Pages that can't be read are left out. */
  linkingPages(pages: PageSource[], slug: string): LinkingPage[];
  /** The page for editing in place, to be shown in a frame: its texts are marked. */
  frame(page: PageSource, framing: Framing): string;
  /** Compares a page with what it was made from. Throws LIMIT_EXCEEDED. */
  check(page: PageCheck): PageFaults;
  /** A page's language and the address of its site, if it states them. */
  identity(page: PageSource): PageIdentity;
  /** A page's language (`lang`), as it is written there; null where it states none. */
  language(page: PageSource): string | null;
  /** Adds the link to a page's translation (`hreflang`). */
  addAlternate(page: PageSource, pair: LanguagePair): string;
  /** Whom a page newly leads to, asks or names outside of the site. */
  gainedOutsiders(page: PageSource, before: string): Outsider[];
  /** What is newly more than once in a page's navigation or list. */
  gainedDoubles(page: PageSource, before: string): Doubled[];
  /** Which of some keys of gains and of outsiders a page has. */
  knownKeys(page: PageSource, keys: string[]): string[];
  /** Makes a `LinkChange`; null where nothing changes. */
  rebuild(page: PageSource, change: LinkChange): Rebuilt | null;
}

/** Repeated blocks of pages. */
export interface FormatGroups {
  /** Repeated blocks of a page, the outer before the inner ones. */
  groups(page: PageSource): SlotGroup[];
  /** The ids of the links in each member of a group. Throws INVALID_INPUT for an unknown group. */
  groupLinks(page: PageSource, group: string): string[][];
  /**
   * Changes a group. Slots, links, images and groups keep their ids, new elements get new ones
   * (`n1`). Null where nothing changes. Throws INVALID_INPUT for what the page does not have.
   */
  rebuild(page: PageSource, change: GroupChange): Rebuilt | null;
}

export interface FormatSections {
  /** Sections and tables of a page's content. */
  sections(page: PageSource): Section[];
  /** As for groups. */
  rebuild(page: PageSource, change: SectionChange): Rebuilt | null;
}

/** Navigations that stand in the pages themselves. */
export interface FormatMenu {
  /** Entries of a page's navigations. */
  menu(page: PageSource): MenuEntry[];
  /** As for groups. */
  rebuild(page: PageSource, change: MenuChange): Rebuilt | null;
}

/** What style sheets name in pages. */
export interface FormatStyles {
  /** The classes of a page, the most frequent first. */
  classes(page: PageSource): string[];
  /** The classes that new markup names. */
  classesOf(page: PageSource, html: string): string[];
}

/** The parts that a format may lack. */
interface OptionalParts {
  groups: FormatGroups;
  sections: FormatSections;
  menu: FormatMenu;
  styles: FormatStyles;
}

/** The parts of a format. */
export type Part = 'core' | keyof OptionalParts;

/**
 * The port of a page format: a folder beside this file implements it for each kind of page file. A
 * call of a part that it lacks is answered with INVALID_INPUT.
 */
export interface PageFormat extends Partial<OptionalParts> {
  paths: PathRules;
  core: FormatCore;
}

/**
 * The calls on pages that formats answer, of all parts. `gainedOutsiders` and `knownKeys` are
 * answered for other files of the site too.
 */
export type FormatCalls = Omit<
  FormatCore & FormatGroups & FormatSections & FormatMenu & FormatStyles,
  'rebuild'
> & {
  /** Makes a change, by the part of the format that knows it. */
  rebuild(page: PageSource, change: PageChange): Rebuilt | null;
};
