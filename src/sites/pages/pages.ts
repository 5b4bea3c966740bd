import type { PageFile } from '../../contract/site.ts';
import type { Contacts } from '../../contract/task.ts';
import type { InThreads, Pooled } from '../../threads/pooled.ts';
import type { SiteTarget } from '../formats/html/links/addresses.ts';
import type { Fault } from '../formats/html/checks/compare.ts';
import type { Gain } from '../formats/html/checks/gains.ts';
import type { Outsider } from '../checks/outsiders.ts';
import type {
  Block,
  Claim,
  EditableText,
  GroupCounts,
  Slot,
  SlotGroup,
  SlotTexts,
  TextEdits,
} from '../formats/page.ts';
import type { SitemapChanges } from './sitemap.ts';
import type { NotedValues } from './standing.ts';
import type { Target, Wanted } from './targets.ts';
import type { TextChange } from './textChanges.ts';
import type { PageAddress, PageImage, PageLink } from '../formats/html/links/pageLinks.ts';
import type { PageMove } from '../formats/html/links/relocate.ts';
import type { MergedBlocks } from '../formats/html/blocks/mergeBlocks.ts';
import type { LinkingPage } from '../formats/html/blocks/linkBlock.ts';
import type { LinkAnswer, LinkedTemplate } from './linkBlocks.ts';
import type { LinkedPage } from '../formats/html/blocks/addBlocks.ts';
import type { Doubled } from '../formats/html/links/doubled.ts';
import type { EntryName, MenuEntry, NewEntry } from '../formats/html/changes/menu.ts';
import type { StatedHours } from '../formats/html/changes/hours.ts';
import type { Section } from '../formats/html/changes/sections.ts';
import type { LanguagePair } from '../formats/html/language.ts';
import type { MarkupSite } from '../formats/html/markup/checkMarkup.ts';
import type { EditedFile, FileEdit } from '../files/editFile.ts';
import type { StyleListing } from '../styles/listStyles.ts';
import type { ColourReplaced } from '../styles/replaceColour.ts';
import type { StyleChange } from '../styles/setStyle.ts';
import type { PageIds, Rebuilt } from '../formats/html/ids.ts';
import type { Place } from '../formats/html/samePlace.ts';

/** A page's file: its path relative to the site's root, and its text. */
export interface PageSource {
  path: string;
  source: string;
  /** The numbers of its elements, where a task changed what there is: their ids stay. */
  ids?: PageIds;
}

/** A change of what a page has; its texts keep their ids. */
export type PageChange =
  /** Members of a group by their index, in their order, and clones of its pattern. */
  | { kind: 'members'; group: string; order: (number | 'clone')[] }
  /** Two members of a group change places, byte for byte. */
  | { kind: 'exchange'; group: string; members: [number, number] }
  | { kind: 'remove-section'; id: string }
  | { kind: 'move-section'; id: string; where: 'before' | 'after'; other: string }
  /** A section more behind another one: one of a page of the site, or new markup, which has only what is allowed. */
  | {
      kind: 'insert-section';
      after: string;
      from?: { page: PageSource; section: string };
      html?: string;
      site: MarkupSite;
    }
  /** Only these sections are left, with what holds them. */
  | { kind: 'keep-sections'; sections: string[] }
  | { kind: 'add-entry'; entry: NewEntry }
  | { kind: 'remove-entries'; name: EntryName }
  /** Links to a page become text, and entries of the navigation that lead there go. */
  | { kind: 'drop-links'; slug: string };

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
  /**
   * Digest of ids, roles and texts of all slots, and of the groups: a later code version that sees others sees another
   * digest.
   */
  digest: string;
}

export interface NewPage {
  template: PageSource;
  target: PageFile;
  texts: SlotTexts;
  /** How many members the template's groups get. Throws INVALID_INPUT for an unknown group. */
  groups?: GroupCounts;
  /** Ids of blocks and of values in structured data that go. Throws INVALID_INPUT where one can't. */
  removed?: string[];
  /** BCP 47 tag of the page's language; absent: the template's. */
  lang?: string;
  /** ISO 3166-1 code of the country of telephone numbers without its code; absent: the template's number tells it. */
  country?: string;
  /** Whom links write to and dial that show neither; absent: those of the template. */
  contacts?: Contacts;
  /** Every file of the site below its root, to tell pages from folders when links are re-based. */
  sitePaths: string[];
  /** Digest of the template's slots when the texts were written. Throws CHANGED_BY_DEPLOY when it differs now. */
  digest: string;
  sisters: PageSource[];
}

/** A page as a change leaves it, and what it was made of. */
export interface PageCheck {
  /** The page's file, relative to the site's root. */
  path: string;
  /** Its former bytes, or for a new page those of its template; null for a page that was made of no other. */
  before: PageSource | null;
  after: string;
  /** Every file of the site with the change, relative to its root; no symbolic links. */
  sitePaths: string[];
  /** Files that the same change takes away. */
  deleted?: string[];
  /** Ids of the template's blocks that a new page was made without: links to what was in them may lead nowhere. */
  removed?: string[];
  /** Whether links set on purpose may lead to outside hosts that `before` did not have. Loaded resources never may. */
  newLinks: boolean;
}

/** The first faults of a page, by line, and how many more it has. */
export interface PageFaults {
  faults: Fault[];
  more: number;
  /** What the page has and its former version had not: an agent may have copied it from elsewhere in the site. */
  gains: Gain[];
  /** Whom the page leads to, asks or names outside of the site, and its former version did not. */
  outsiders: Outsider[];
  /** What stands more than once in a navigation or list, and did not before. */
  doubled: Doubled[];
}

/** A page that is asked for its block for a template. */
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
  theirs: PageSource;
  /** The pages that the task wrote. */
  slugs: string[];
}

/** How a page is shown for editing. */
export interface Framing {
  /** The page's own address, which its relative ones start from. */
  url: string;
  /** Markup that comes before everything of the page. */
  head: string;
  /**
   * Name of the attribute that marks a text to edit: its value is the slot's id, a space, and which text between its
   * parts it is.
   */
  attribute: string;
}

export interface PageIdentity {
  /** BCP 47 tag (`lang`). */
  language: string | null;
  /** Where its site is, by its canonical address: `www.example.com`, with the folder that it lies in. */
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
  /** Only this group, whatever part it is of. */
  group?: string;
  /** Only from the first of these texts to the last one, by their ids. */
  texts?: string[];
}

/** The calls that parse pages. Every call is pure. */
export interface PageCalls {
  /** Title and slots of a page. */
  read(page: PageSource): PageContent;
  /**
   * A page for a language model: a line for each text, link and image, with its id; at most about 24,000 characters,
   * the last line names the id to read on from. Throws NOT_FOUND for an unknown `from`, INVALID_INPUT for an unknown
   * group.
   */
  outline(question: OutlineQuestion): string;
  /** The HTML of a section, table or group, or of what is around an id: 8,000 characters at most. Throws NOT_FOUND. */
  markup(page: PageSource, id: string): string;
  /** Which ids come nearest to one that the page does not have, in words. */
  nearIds(page: PageSource, id: string): string;
  /** What texts are called in an outline: `h3`, `og:title`, `offers[0].name`; '' for an unknown id. */
  kinds(page: PageSource, ids: string[]): string[];
  /** The ids of the links in each member of a group. Throws INVALID_INPUT for an unknown group. */
  groupLinks(page: PageSource, group: string): string[][];
  /** Where texts and links (`s12.href`) of a page stand, in words that hold on sister pages; null for an unknown id. */
  places(page: PageSource, ids: string[]): (Place | null)[];
  /** The ids of what says the same at the same places of another page; null for what is not there. */
  atPlaces(page: PageSource, places: (Place | null)[]): (string | null)[];
  /** The id of the link that an id names: its own, of a text in it, or of the only one inside. Throws NOT_FOUND. */
  linkId(page: PageSource, id: string): string;
  /**
   * The page with one image showing another file of the site, with a text, and every other byte as it was.
   * Throws NOT_FOUND for an unknown id, INVALID_INPUT for a file that is no picture.
   */
  setImage(page: PageSource, change: { id: string; target: SiteTarget; alt: string }): string;
  /** Slots of a template with the site's chrome locked, which its sister pages show. */
  readTemplate(template: PageSource, sisters: PageSource[]): TemplateContent;
  /** What people can edit of a page: its texts, each one between its inline marks apart, links and images. */
  readTexts(page: PageSource): PageTexts;
  /** Whether a page still has what notes on its former version are about; null where its texts can't tell. */
  standing(page: { written: PageSource; now: PageSource }, notes: NotedValues[]): (boolean | null)[];
  /** The page at `page.path` with the named slots' texts replaced. */
  setTexts(page: PageSource, texts: SlotTexts): string;
  /**
   * The same with each text between its marks given apart. Throws INVALID_INPUT for a slot with more or fewer texts.
   */
  setEditedTexts(page: PageSource, edits: TextEdits): string;
  /** Repeated blocks of a page, the outer before the inner ones. */
  groups(page: PageSource): SlotGroup[];
  /**
   * The page after a change of what it has: ids of slots, links, images and groups stay, new elements get new ones
   * (`n1`). Null where nothing changes. Throws INVALID_INPUT for what the page does not have.
   */
  rebuild(page: PageSource, change: PageChange): Rebuilt | null;
  /** Sections and tables of a page's content. */
  sections(page: PageSource): Section[];
  /** Opening hours in a page's structured data. */
  hours(page: PageSource): StatedHours[];
  /** Ids of the texts in a page's footer; null where it has none. */
  footer(page: PageSource): string[] | null;
  /** Entries of a page's navigations. */
  menu(page: PageSource): MenuEntry[];
  /**
   * A new page: the template's bytes with its groups' numbers changed, the texts in place and its own place in the site
   * (relative URLs, canonical, og:url, JSON-LD ids).
   */
  create(page: NewPage): string;
  /** Links of a page that lead to `slug`, as the page's own href texts. */
  linksTo(page: PageSource, slug: string): string[];
  /** Links of a page in document order, those that look like buttons among them. */
  links(page: PageSource): PageLink[];
  /** Images of a page in document order. */
  images(page: PageSource): PageImage[];
  /** Ids of a page that a fragment of an address can name. */
  anchors(page: PageSource): string[];
  /**
   * The page with one link leading to an address, or to a page or file of the site, and every other byte as it was.
   * Throws INVALID_INPUT for an unknown id.
   */
  setLink(page: PageSource, id: string, target: string | SiteTarget): string;
  /** The page with one image's text changed and every other byte as it was. Throws INVALID_INPUT for an unknown id. */
  setAlt(page: PageSource, id: string, text: string): string;
  /**
   * A page after a page of its site moved: the moved one as it is at its new place, any other with its addresses of the
   * moved one changed.
   */
  move(page: PageSource, move: PageMove): string;
  /** The block of a page's content that leads to a template, and the pages that it leads to. */
  linkBlock(question: LinkQuestion): LinkAnswer;
  /**
   * The page with a clone of that block for each new page, and every other byte as it was.
   * Throws INVALID_INPUT where it has no such block.
   */
  addLinks(change: AddLinks): string;
  /** Blocks that a task added, in another version of their page; null where the task changed anything else of it. */
  mergeLinks(merge: MergeLinks): MergedBlocks | null;
  /** The pages, of those that can be read, whose content links to `slug`. */
  linkingPages(pages: PageSource[], slug: string): LinkingPage[];
  /** The texts in which two versions of a page differ; null where there is none. */
  compare(before: PageSource | null, after: PageSource | null): TextChange[];
  /**
   * The page with its texts marked for editing in place, and without what would take its frame elsewhere: to be shown,
   * never to be kept.
   */
  frame(page: PageSource, framing: Framing): string;
  /**
   * The files of a site that are its pages, one for each slug, by slug. Of two with the same slug it is the one that
   * visitors get.
   * @param files as `fileNames` gives them
   * @returns paths, joined with NUL
   */
  listPages(files: string): string;
  /** Files for pages that are asked for: see `planTargets`. */
  planTargets(files: string, wanted: Wanted): Target[];
  /** A site's sitemap after pages came and went. */
  updateSitemap(source: string, changes: SitemapChanges): string;
  /** What is wrong with a changed page, compared with what it was made of. Throws LIMIT_EXCEEDED. */
  check(page: PageCheck): PageFaults;
  /** What a style sheet has to change and to use. `search`: words of rules to list. Throws INVALID_INPUT. */
  styles(file: PageSource, search?: string): StyleListing;
  /** A style sheet with a declaration of an existing rule changed or added, and what was done. Throws INVALID_INPUT. */
  setStyle(file: PageSource, change: StyleChange): { source: string; says: string };
  /** A style sheet with a colour in another one's place. Throws INVALID_INPUT. */
  replaceColour(file: PageSource, from: string, to: string): ColourReplaced;
  /** A file with a text replaced. Throws INVALID_INPUT where the text is not there once, or is not for editing. */
  editFile(file: PageSource, edit: FileEdit): EditedFile;
  /**
   * Holds a changed file that is no page to what agents may change. Throws INVALID_INPUT.
   * @returns whom it names outside of the site, and its former version did not
   */
  checkFile(file: { path: string; before: string | null; after: string | null }): Outsider[];
  /** The classes that new markup names. */
  classesOf(page: PageSource, html: string): string[];
  /** What a page says of itself. */
  identity(page: PageSource): PageIdentity;
  /** The language that a page says it is in (`lang`), null where it says none. */
  language(page: PageSource): string | null;
  /** The classes of a page, the most frequent first. */
  classes(page: PageSource): string[];
  /** The page with what names it and another one as each other's translation (`hreflang`). */
  addAlternate(page: PageSource, pair: LanguagePair): string;
  /** Whom a page or another file leads to, asks or names outside of the site, and its former text did not. */
  gainedOutsiders(file: PageSource, before: string): Outsider[];
  /** What stands more than once in a page's navigation or list, and did not in its former text. */
  gainedDoubles(page: PageSource, before: string): Doubled[];
  /** Which of some hosts, e-mail addresses and telephone numbers a request names. */
  namedOutsiders(request: string, outsiders: Outsider[]): boolean[];
  /** Which of some keys of gains and of outsiders a page or style sheet has. */
  knownKeys(file: PageSource, keys: string[]): string[];
}

/**
 * All that knows pages, for one piece of work: its calls wait for their organization's turn, and end with its signal.
 * Each runs in a thread, so that a huge page never blocks the API.
 */
export interface Pages extends InThreads<PageCalls> {
  /** Whether a path is a page of a known format. */
  isPage(path: string): boolean;
  slugOf(path: string): string;
  /** The file of a new page at `slug`, by the convention of the template's file. */
  pathOf(slug: string, templatePath: string): string;
}

/** The threads that read pages. Its own calls are the service's own work. */
export type PagesPool = Pooled<Pages>;
