import type { PageFile } from '../../contract/site.ts';
import type { ContactLinkTargets } from '../../contract/task.ts';
import type {
  SiteTarget,
  PageMove,
  EntryName,
  NewEntry,
  EditedPageSource,
  LanguagePair,
  LinkedPage,
  MergedBlocks,
  LinkingPage,
} from './changes.ts';
import type {
  PageViolation,
  PageFeature,
  DuplicateLink,
  StaleDetail,
  ExternalReference,
  SetupChange,
} from './pageFindings.ts';
import type {
  TemplateBlock,
  PageClaim,
  EditableSlot,
  GroupSizes,
  TextSlot,
  SlotGroup,
  SlotTexts,
  TextEdits,
  PageSection,
  MenuEntry,
  EditableUrl,
  PageImage,
  OpaqueText,
  PageLink,
  TemplateLink,
} from './pageParts.ts';
import type { LinkBlockAnswer, LinkedTemplate } from './linkBlocks.ts';

/**
 * The port of a page format: how the service reads and changes the page files of a site. Each
 * format has a folder beside this file: HTML (`html/`) and Markdown (`markdown/`).
 *
 * A format has two parts. `PathRules` turns file names into slugs and back, and never reads a page.
 * `FormatCalls` reads and changes pages: a call gets the source of a page and returns a new source,
 * which its caller commits.
 *
 * These words occur in most calls. A slot is one text of a page, such as a heading, with an id
 * (`s12`). A group consists of blocks that repeat, such as cards; each of them is a member, and new
 * members are clones of one of them. The chrome is what a page shares with its siblings, which are
 * the other pages of its site: the navigation, for example. `pageParts.ts` has the types of these
 * parts, `changes.ts` and `linkBlocks.ts` those of changes, and `pageFindings.ts` those of checks.
 *
 *     html.paths.slugOf('locations/austin.html') // '/locations/austin'
 *     html.calls.read(page).slots // [{ id: 's12', role: 'heading', text: 'Austin', … }, …]
 *     html.calls.setTexts(page, { s12: 'Lisbon' }) // the same source with another heading
 */

/** A page's file: its path relative to the site's root, and its text. */
export interface PageSource {
  path: string;
  source: string;
  /** The numbers of its elements (see `EditedPageSource`), if a task added or moved elements. */
  elementNumbers?: string[];
}

/** A change of a group's members. */
export type GroupChange =
  /** The new members in order: old ones by their index, and clones of the group's pattern. */
  | { kind: 'members'; group: string; order: (number | 'clone')[] }
  /** Swaps two members, by index, byte for byte. */
  | { kind: 'exchange'; group: string; memberIndexes: [number, number] };

/** Removes a section or table of a page, or moves it before or after another one. */
type SectionChange =
  | { kind: 'remove-section'; id: string }
  | { kind: 'move-section'; id: string; where: 'before' | 'after'; other: string };

/** Adds an entry to the main navigation, or removes entries from it. */
type MenuChange =
  | { kind: 'add-entry'; entry: NewEntry }
  | { kind: 'remove-entries'; name: EntryName };

type LinkChange =
  /**
   * Turns links to a page into plain text, and removes its entries from navigations. With
   * `withBlocks`, also removes the blocks that represent the page, such as its card.
   */
  | { kind: 'remove-links'; slug: string; withBlocks?: true }
  /**
   * Removes the `hreflang` links to a page. With `removesOwnLinks`, also those to the page
   * itself, if no links to a third page are left.
   */
  | { kind: 'remove-alternates'; slug: string; removesOwnLinks: boolean };

/** A change that adds, removes or moves elements. The other elements keep their numbers. */
export type PageChange = GroupChange | SectionChange | MenuChange | LinkChange;

/** The calls that edit a page without adding, moving or removing parts of it. */
export type EditName = 'setTexts' | 'dropData' | 'setLink' | 'setAlt' | 'addAlternate' | 'move';

/** One of these calls, with its arguments after the page. */
export type PageEditCall = {
  [Name in EditName]: {
    name: Name;
    args: Parameters<FormatCalls[Name]> extends [unknown, ...infer Others] ? Others : never;
  };
}[EditName];

/** The texts of a page. */
export interface PageContent {
  slug: string;
  title: string;
  slots: TextSlot[];
  /** Texts that are not slots. No change of texts reaches them. */
  opaque: OpaqueText[];
}

/** The parts of a page that people can edit. */
export interface EditablePageTexts {
  title: string;
  texts: EditableSlot[];
  urls: EditableUrl[];
}

/** The template of a new page as an agent sees it: texts and blocks by ids, without HTML. */
export interface TemplateContent {
  slug: string;
  /** Every slot of the template. Slots of the chrome are `locked`: a new page keeps them. */
  slots: TextSlot[];
  /** Repeated blocks of the template, except in the site's chrome. */
  groups: SlotGroup[];
  /** Quotes, stars and maps of the template, except in the site's chrome. */
  claims: PageClaim[];
  /** Blocks of the template that can be removed. */
  blocks: TemplateBlock[];
  /** Links of the template, except in the site's chrome. */
  links: TemplateLink[];
  /** Texts that are not slots. A new page gets them as they are in the template. */
  opaque: OpaqueText[];
  /** Titles of other pages in front matter, by slug. A new page should have another one. */
  titles?: Record<string, string>;
  /** The keys of front matter that all other pages of its folder have, and the template lacks. */
  missingKeys?: string[];
  /**
   * Digest of the slots and groups. It changes if a later version of the code finds others in the
   * same page.
   */
  digest: string;
}

/** What `create` makes a new page from. */
export interface PageCreation {
  template: PageSource;
  target: PageFile;
  texts: SlotTexts;
  /** The new number of members, by group id. `create` throws INVALID_INPUT for an unknown group. */
  groups?: GroupSizes;
  /**
   * Ids of blocks and of values in structured data to remove. `create` throws INVALID_INPUT for
   * one that cannot be removed.
   */
  removed?: string[];
  /**
   * New targets of links, by their ids: `s12`, or `s12+1` in a clone. An id that the page no longer
   * has is ignored.
   */
  links?: Record<string, string | SiteTarget>;
  /** Language of the new page: BCP 47 tag; absent: the template's. */
  lang?: string;
  /**
   * ISO 3166-1 code of the country of telephone numbers without a country code; absent: the country
   * of the template's numbers.
   */
  country?: string;
  /** E-mail address and telephone number for links that show neither; absent: the template's. */
  contacts?: ContactLinkTargets;
  /** ISO 8601 time of the task. For front matter that states the page's date. */
  date?: string;
  /**
   * Every file of the site, relative to its root. Tells pages from folders when links are
   * rewritten.
   */
  sitePaths: string[];
  /**
   * `TemplateContent.digest` from when the texts were written. `create` throws CHANGED_BY_DEPLOY if
   * it differs now.
   */
  digest: string;
  /** Other pages of the site. What they share with the template is the site's chrome. */
  siblings: PageSource[];
}

/** A page with the style sheets that it loads from its site. */
export interface PageStyles extends PageSource {
  sheets: string[];
}

/** What `check` compares: a page after a change, and the page that it was made from. */
export interface PageCheck {
  /** The page's file, relative to the site's root. */
  path: string;
  /** The page before the change, or the template of a new page; null if there is neither. */
  before: PageSource | null;
  /** The source of the page after the change. */
  after: string;
  /** Every file of the site after the change, relative to its root; no symbolic links. */
  sitePaths: string[];
  /** Files that the same change deletes. */
  deleted?: string[];
  /**
   * Ids of the template's blocks that the new page was made without. Links to ids in them may be
   * broken. Absent for an edit: only for an edit, a change of the page's setup is reported.
   */
  removed?: string[];
  /**
   * Whether the change may add links to hosts that `before` does not link to. It may never add
   * hosts to load from.
   */
  mayAddLinks: boolean;
}

/** The effects of a change besides the texts that it wrote. */
export interface SideEffects {
  /** External references that the page has and its former version did not have. */
  externalReferences: ExternalReference[];
  /** Links that a navigation or list has more than once now, and did not have so before. */
  duplicates: DuplicateLink[];
  /** The scripts, style sheets and declarations that are no longer in effect. */
  setup: SetupChange;
  /** Details that belong to the old texts and stayed beside the new ones, such as a picture. */
  staleDetails: StaleDetail[];
}

/** The first violations of a page in line order, and the number of further ones. */
export interface PageCheckResult extends SideEffects {
  violations: PageViolation[];
  more: number;
  /**
   * The classes, inline styles, forms and frames that the page has and `before` does not have. One
   * of them is allowed if another page of the site has it.
   */
  gains: PageFeature[];
}

/** Asks for the block of a page that represents a template, such as the card that leads to it. */
export interface LinkBlockQuery {
  page: PageSource;
  /** Other pages of the site. What they share with the page is the site's chrome. */
  siblings: PageSource[];
  template: LinkedTemplate;
}

/** The new pages (`items`) that each get a clone of that block. */
export interface AddLinksInput extends LinkBlockQuery {
  items: LinkedPage[];
  /** Every file of the site, relative to its root. */
  sitePaths: string[];
}

/** A page that a task added blocks to, while others changed it. */
export interface MergeLinksInput {
  /** The page's source when the task began. */
  before: string;
  /** The page's source with the blocks that the task added. */
  task: string;
  /** The page's current version, with the changes of others. */
  page: PageSource;
  /** Slugs of the pages that the task wrote. */
  slugs: string[];
}

/** How to show a page in a frame for editing. */
export interface FrameSettings {
  /** The page's own URL, the base of its relative URLs. */
  url: string;
  /** Markup to put at the start of the page. */
  head: string;
  /**
   * Name of the attribute that marks an editable text. Its value is the slot's id, a space, and the
   * index in `EditableSlot.texts`.
   */
  attribute: string;
}

/** What a page states about its language and its site. */
export interface PageIdentity {
  /** BCP 47 tag (`lang`). */
  language: string | null;
  /**
   * The address of its site according to its canonical link: `www.example.com`, with a folder if
   * the site is in one.
   */
  home: string | null;
}

/** Selects the part of a page that a language model reads. */
export interface OutlineQuery {
  page: PageSource;
  /** Other pages of the site. What they share with the page is the site's chrome. */
  siblings: PageSource[];
  /** Every file of the site. Absent: URLs that lead nowhere are not marked. */
  sitePaths?: string[];
  /** The places (`anchors`) of other pages that the page links into, by slug. */
  anchors?: Record<string, string[]>;
  /** Whether to read the site's chrome, in place of what only this page has. */
  isChrome?: boolean;
  /** The first line of the source to read. */
  from?: number;
}

/** Rules between file names and slugs for one format. They never read a page. */
export interface PathRules {
  /** The format's name for messages: `HTML`. */
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
 * The calls on pages of a format. They are pure. A call that changes a page returns its new source,
 * and keeps all bytes that the change does not concern. `sideEffects` and `knownKeys` also get
 * other files of the site.
 */
export interface FormatCalls {
  /** Title and slots of a page. */
  read(page: PageSource): PageContent;
  /**
   * A page for a language model that reads and edits its HTML: a line for each text, link and
   * image, with the number of its line in the source. If lines are left, the last one names the
   * line to continue from.
   */
  outline(question: OutlineQuery): string;
  /**
   * Changes an image's file and alternative text. Throws NOT_FOUND for an unknown id, INVALID_INPUT
   * for a file that is not an image.
   */
  setImage(page: PageSource, change: { id: string; target: SiteTarget; alt: string }): string;
  /** Reads a template. What it shares with its siblings is the chrome, which is `locked`. */
  readTemplate(template: PageSource, siblings: PageSource[]): TemplateContent;
  /** What people can edit: texts, split at their inline tags, and URLs of links and images. */
  readTexts(page: PageSource): EditablePageTexts;
  /**
   * Replaces texts of slots, and what repeats them: telephone links, counters, data of scripts.
   * Throws INVALID_INPUT for an unknown id, or a text without all inline tags of its slot.
   */
  setTexts(page: PageSource, texts: SlotTexts): string;
  /** Removes structured data that only describes what `before` shows and the page does not. */
  dropData(page: PageSource, before: PageSource): string;
  /**
   * Replaces texts in the form that `readTexts` returns. Throws INVALID_INPUT for a wrong number of
   * texts.
   */
  setEditedTexts(page: PageSource, edits: TextEdits): string;
  /** Slot ids of the texts in a page's footer; null if the page has no footer. */
  footer(page: PageSource): string[] | null;
  /**
   * Makes a new page from a template: with other texts, other numbers of group members, and its own
   * URL (relative URLs, canonical link, og:url, JSON-LD ids).
   */
  create(page: PageCreation): string;
  /** Links of a page in document order, including those that look like buttons. */
  links(page: PageSource): PageLink[];
  /** Images of a page in document order. */
  images(page: PageSource): PageImage[];
  /** Paths, relative to the site's root, of the files of the site that a page refers to. */
  files(page: PageSource): string[];
  /** Ids and anchor names of a page that a URL fragment can name. */
  anchors(page: PageSource): string[];
  /**
   * Changes the target of a link to a URL, or to a page or file of the site. Throws INVALID_INPUT
   * if `id` is not a link.
   */
  setLink(page: PageSource, id: string, target: string | SiteTarget): string;
  /** Changes an image's alternative text. Throws INVALID_INPUT for an unknown id. */
  setAlt(page: PageSource, id: string, text: string): string;
  /** Updates the URLs in a page after this or another page of its site moved. */
  move(page: PageSource, move: PageMove): string;
  /** The block of a page that represents a template, and the pages that its content links to. */
  linkBlock(question: LinkBlockQuery): LinkBlockAnswer;
  /** Adds a clone of that block for each new page. Throws INVALID_INPUT if there is none. */
  addLinks(change: AddLinksInput): string;
  /**
   * Adds a task's blocks to another version of the page. Null if the task changed anything else on
   * the page.
   */
  mergeLinks(merge: MergeLinksInput): MergedBlocks | null;
  /** The pages whose content links to `slug`. Unreadable pages are left out. */
  linkingPages(pages: PageSource[], slug: string): LinkingPage[];
  /** The page for editing in a frame, with its texts marked. */
  frame(page: PageSource, framing: FrameSettings): string;
  /**
   * Compares a page with the page that it was made from. Throws LIMIT_EXCEEDED for a page that is
   * too large, or that has too many texts or new features.
   */
  check(page: PageCheck): PageCheckResult;
  /** A page's language and the address of its site, as far as the page states them. */
  identity(page: PageSource): PageIdentity;
  /** Whether a page asks search engines not to list it. */
  isUnlisted(page: PageSource): boolean;
  /** Adds a link (`hreflang`) to a page's translation. */
  addAlternate(page: PageSource, pair: LanguagePair): string;
  /**
   * The effects of a change of a page's source from `before`. Of a new or deleted page (one of the
   * two is ''), they are only its external references.
   */
  sideEffects(page: PageSource, before: string): SideEffects;
  /** What a change of a page or of its style sheets hides from readers, for a sentence. */
  findHiddenParts(page: PageStyles, before: PageStyles): string[];
  /** Those of the given keys (`PageFeature.keys`, `ExternalReference.keys`) that the page has. */
  knownKeys(page: PageSource, keys: string[]): string[];
  /**
   * Makes one of the edits in `EditName`. The page's elements keep their numbers, unless the edit
   * changes how many there are. Null if nothing changes.
   */
  edit(page: PageSource, edit: PageEditCall): EditedPageSource | null;
  /** Repeated blocks of a page, the outer before the inner ones. */
  groups(page: PageSource): SlotGroup[];
  /** Sections and tables of a page's content. */
  sections(page: PageSource): PageSection[];
  /** Entries of all navigations in a page's own markup. */
  menu(page: PageSource): MenuEntry[];
  /**
   * Adds, removes or moves elements. Null if nothing changes. Throws INVALID_INPUT for an id or
   * index that the page does not have.
   */
  rebuild(page: PageSource, change: PageChange): EditedPageSource | null;
}

/** A page format. The overview at the top of this file explains its two parts. */
export interface PageFormatPort {
  paths: PathRules;
  calls: FormatCalls;
}
