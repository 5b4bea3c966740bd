import type {
  AnsweredQuestion,
  AskedQuestion,
  Contacts,
  Note,
  PageItem,
  RejectedPage,
  Usage,
} from '../contract/task.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type {
  Block,
  Claim,
  GroupCounts,
  OpaqueText,
  Slot,
  SlotGroup,
  SlotTexts,
  TemplateLink,
} from '../sites/formats/page.ts';

/**
 * A template as an agent sees it.
 * `slots`: its unlocked slots. `groups`: its repeated blocks. `claims`: its quotes, ratings and
 * maps. `blocks`: the blocks that can be removed. `links`: the links of its own content.
 */
export interface TemplatePage {
  slug: string;
  slots: Slot[];
  groups?: SlotGroup[];
  claims?: Claim[];
  blocks?: Block[];
  links?: TemplateLink[];
  /** What the new page has as the template has it. */
  opaque?: OpaqueText[];
  /** Texts on every page of the site, such as its name, menu and footer. */
  siteTexts?: string[];
}

/**
 * Makes a template for agents: they can read the texts of the site's chrome, but not change them.
 */
export function templatePageOf({ slots, ...rest }: Omit<TemplateContent, 'digest'>): TemplatePage {
  const [unlocked, chrome] = [false, true].map((isLocked) =>
    slots.filter(({ locked }) => locked === isLocked),
  );
  return { ...rest, slots: unlocked!, siteTexts: chrome!.map(({ text }) => text) };
}

export interface GeneratedPage {
  /** New texts by slot id. All other slots keep the template's text. */
  texts: SlotTexts;
  /**
   * The new number of members of groups; other groups keep theirs. See `GroupCounts` for the ids of
   * cloned slots.
   */
  groups?: GroupCounts;
  /**
   * Ids of blocks and of values in structured data to remove. `texts` contains none of their slots.
   */
  removed?: string[];
  /** New targets of links, by their ids: paths from the site's root, or full addresses. */
  links?: Record<string, string>;
  /** BCP 47 tag of the page's language; if absent, the template's. */
  lang?: string;
  /** ISO 3166-1 country code for telephone numbers without one, if known. */
  country?: string;
  /** The e-mail address and telephone number of the context, for the page's links. */
  contacts?: Contacts;
  /** Notes on the page for the task's output, such as facts that were kept from the template. */
  notes: Note[];
  /** The language model's usage. */
  usage?: Usage;
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
export interface Turn {
  text: string;
  toolCalls: ToolCall[];
  opaque?: unknown;
  /** The language model's usage for this turn. */
  usage?: Usage;
  /**
   * Digest of the results of this turn's tool calls and of the edits after it, set by the caller.
   */
  digest?: string;
  /** What people answered to the question of the turn before; null: nobody did. */
  answered?: string | null;
  /** Whether the provider refused the pictures of the results so far, and answered without them. */
  isWithoutPictures?: boolean;
}

export interface ToolResult {
  id: string;
  /** The tool's result, or why it failed. */
  content: string;
  isError: boolean;
  /** Whether the customer answered: then it is their word, and no data. */
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

/** A conversation: its turns with the results of their tool calls. */
export interface Conversation {
  taskId: string;
  siteId: string;
  prompt: string;
  /** Slug and title of every page of the base commit. */
  pages: { slug: string; title: string }[];
  turns: { turn: Turn; results: ToolResult[] }[];
  /** Whether the model may ask people. */
  mayAsk?: boolean;
  /** The pictures that results show, by the ids of their blobs; absent: none is sent. */
  pictures?: ReadonlyMap<string, LoadedPicture>;
}

/** One page to write. */
export interface PageJob {
  taskId: string;
  siteId: string;
  template: TemplatePage;
  item: PageItem;
  /**
   * Checks where a link of the page is to lead. Throws INVALID_INPUT, and NOT_FOUND if the site
   * will not have that page or file.
   */
  checkLink?: (target: string) => Promise<unknown>;
  /** A model's rejected answer, which it is to correct. */
  rejected?: RejectedPage;
}

/** One page to write by a model that may ask people. */
export interface AskingPageJob extends PageJob {
  /** Its questions so far. */
  questions: AnsweredQuestion[];
}

/** A page, or a model's rejected answer. */
export type PageAnswer = (GeneratedPage & { rejected?: undefined }) | { rejected: RejectedPage };

/** The question that a model asks before it can write a page. */
export interface PageQuestion {
  asked: AskedQuestion;
  rejected?: undefined;
  usage?: Usage;
}
