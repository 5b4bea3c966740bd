import type {
  AnsweredQuestion,
  ModelQuestion,
  ContactLinkTargets,
  Note,
  PageItem,
  RejectedPage,
  TokenUsage,
} from '../../contract/task.ts';
import type { TemplateContent } from '../../sites/formats/format.ts';
import type {
  TemplateBlock,
  PageClaim,
  GroupSizes,
  OpaqueText,
  TextSlot,
  SlotGroup,
  SlotTexts,
  TemplateLink,
} from '../../sites/formats/pageParts.ts';

/**
 * What all agents share. An agent decides on the words of a page or an edit. It is either the
 * rules, which are embedded and work without a language model, or a language model.
 *
 * - `context/` reads what a caller says about a new page. `facts/` finds prices, numbers and the
 *   like.
 * - `page/` plans a new page from a template and a context, and writes the notes for people.
 * - `markup/` edits the HTML of a page. `text/` compares, cleans and replaces plain texts.
 * - `site/` keeps the edits of a prompt task in memory. `tools/` and `texts/` make these edits.
 *
 * This file has the types in which agents get their work and return it. For example, a template has
 * `slots: [{ id: 's12', role: 'heading', text: 'Web design in Austin', … }]`, which are its texts,
 * and a `GeneratedPage` has `texts: { s12: 'Web design in Lisbon' }`.
 */

/**
 * A template, the page that a new page is made from, as an agent sees it.
 * `slots`: its texts, except for those that are locked because other pages have them too. `groups`:
 * its repeated blocks, such as cards. `claims`: its quotes, ratings and maps. `blocks`: the blocks
 * that can be removed. `links`: the links of its own content.
 */
export interface TemplatePage {
  slug: string;
  slots: TextSlot[];
  groups?: SlotGroup[];
  claims?: PageClaim[];
  blocks?: TemplateBlock[];
  links?: TemplateLink[];
  /** Texts that the new page keeps byte for byte, such as lines of front matter. */
  opaque?: OpaqueText[];
  /** Titles of other pages, by slug, and keys of front matter that only the template lacks. */
  titles?: Record<string, string>;
  missingKeys?: string[];
  /** Texts on every page of the site, such as its name, menu and footer. */
  siteTexts?: string[];
}

/**
 * Makes a template for agents. They can read the texts of the site's chrome, such as its menu and
 * footer, but not change them.
 */
export function createTemplatePage({
  slots,
  ...otherContent
}: Omit<TemplateContent, 'digest'>): TemplatePage {
  const [unlockedSlots, chromeSlots] = [false, true].map((isLocked) =>
    slots.filter(({ locked }) => locked === isLocked),
  );
  return {
    ...otherContent,
    slots: unlockedSlots!,
    siteTexts: chromeSlots!.map(({ text }) => text),
  };
}

export interface GeneratedPage {
  /** New texts by slot id. All other slots keep the template's text. */
  texts: SlotTexts;
  /**
   * The new number of members of groups; other groups keep theirs. See `GroupSizes` for the ids of
   * cloned slots.
   */
  groups?: GroupSizes;
  /**
   * Ids of blocks and of values in structured data to remove. `texts` contains none of their slots.
   */
  removed?: string[];
  /** New targets of links, by their ids: paths from the site's root, or complete URLs. */
  links?: Record<string, string>;
  /** BCP 47 tag of the page's language; if absent, the template's. */
  lang?: string;
  /** ISO 3166-1 country code for telephone numbers without one, if known. */
  country?: string;
  /** The e-mail address and telephone number of the context, for the page's links. */
  contacts?: ContactLinkTargets;
  /**
   * Notes: what a person should check on the page, such as prices that are still the template's.
   */
  notes: Note[];
  /** The language model's usage. */
  usage?: TokenUsage;
}

/**
 * A tool call in a turn. `id` is unique in the task. `arguments` are untrusted: the tool checks
 * them.
 */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /**
   * Why the call can't run, such as arguments that are not JSON. The model gets this as an error.
   */
  invalid?: string;
}

/**
 * One answer of a model, as the workflow's history stores it. `opaque` is data of the provider,
 * which is sent back unchanged.
 */
export interface ModelTurn {
  text: string;
  toolCalls: ToolCall[];
  opaque?: unknown;
  /** The language model's usage for this turn. */
  usage?: TokenUsage;
  /**
   * Digest of the results of this turn's tool calls and of the edits after it, set by the caller.
   */
  digest?: string;
  /** What people answered to the question of the turn before; null if nobody did. */
  answered?: string | null;
  /** Whether the provider refused the pictures of the results so far, and answered without them. */
  isWithoutPictures?: boolean;
}

export interface ToolResult {
  id: string;
  /** The tool's result, or why it failed. */
  content: string;
  isError: boolean;
  /** Whether this is the customer's answer. Then it counts as their word and not as data. */
  isAnswer?: boolean;
  /** Pictures that the result shows. Their bytes are read when the model is called. */
  pictures?: ShownPicture[];
}

/** A picture of the site: its path relative to the site's root, and the id of its blob. */
export interface ShownPicture {
  path: string;
  id: string;
}

/** A picture's bytes as a language model gets them. */
export interface LoadedPicture {
  /** Such as `image/png`, by the picture's first bytes. */
  mediaType: string;
  base64: string;
}

/** The conversation of a prompt task: its turns with the results of their tool calls. */
export interface AgentConversation {
  taskId: string;
  siteId: string;
  prompt: string;
  /** Slug and title of every page of the base commit. */
  pages: { slug: string; title: string }[];
  turns: { turn: ModelTurn; results: ToolResult[] }[];
  /** Whether the model may ask people. */
  mayAsk?: boolean;
  /** The pictures that results show, by the ids of their blobs. Absent if no pictures are sent. */
  pictures?: ReadonlyMap<string, LoadedPicture>;
}

/** One page to write. */
export interface PageWritingJob {
  taskId: string;
  siteId: string;
  template: TemplatePage;
  item: PageItem;
  /**
   * Checks the target of a link. Throws INVALID_INPUT for one that is not allowed, and NOT_FOUND if
   * the site will not have that page or file.
   */
  checkLink?: (target: string) => Promise<unknown>;
  /** A model's rejected answer, which it is to correct. */
  rejected?: RejectedPage;
}

/** One page to write by a model that may ask people. */
export interface AskingPageJob extends PageWritingJob {
  /** Its questions so far. */
  questions: AnsweredQuestion[];
}

/** A page, or a model's rejected answer. */
export type PageAnswer = (GeneratedPage & { rejected?: undefined }) | { rejected: RejectedPage };

/** The question that a model asks before it can write a page. */
export interface PageQuestion {
  asked: ModelQuestion;
  rejected?: undefined;
  usage?: TokenUsage;
}
