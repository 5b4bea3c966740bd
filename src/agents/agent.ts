import type { Contacts, Note, PageItem, RejectedPage, Usage } from '../contract/task.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type {
  Block,
  Claim,
  GroupCounts,
  Slot,
  SlotGroup,
  SlotTexts,
} from '../sites/formats/page.ts';

/**
 * A template as an agent sees it: its slug, its unlocked slots, its repeated blocks, what it claims
 * by how it is built, and the blocks that can go.
 */
export interface TemplatePage {
  slug: string;
  slots: Slot[];
  groups?: SlotGroup[];
  claims?: Claim[];
  blocks?: Block[];
  /** Texts that stand on every page of the site: its name, menu, footer. */
  siteTexts?: string[];
}

/** A template as agents get it: the site's chrome is text to know, not to write. */
export function templatePageOf({ slots, ...rest }: Omit<TemplateContent, 'digest'>): TemplatePage {
  const [unlocked, chrome] = [false, true].map((isLocked) =>
    slots.filter(({ locked }) => locked === isLocked),
  );
  return { ...rest, slots: unlocked!, siteTexts: chrome!.map(({ text }) => text) };
}

export interface GeneratedPage {
  /** New texts by slot id; slots that are not named keep the template's text. */
  texts: SlotTexts;
  /**
   * How many members groups of the template get; those that are not named keep theirs. Texts name
   * the slots of clones as `GroupCounts` says.
   */
  groups?: GroupCounts;
  /**
   * Ids of the template's blocks, and of values in its structured data, that go. Texts name none of
   * their slots.
   */
  removed?: string[];
  /** BCP 47 tag of the page's language; absent: the template's. */
  lang?: string;
  /**
   * ISO 3166-1 code of the country whose telephone numbers the texts have without its code, where
   * it is known.
   */
  country?: string;
  /** Whom the page's links write to and dial, where the context says so. */
  contacts?: Contacts;
  /**
   * For the task's output, each naming the page: facts of the template that the context gives no
   * counterpart for.
   */
  notes: Note[];
  /** What a language model used. */
  usage?: Usage;
}

/**
 * A tool call of a turn. `id` is unique in the task. `arguments` are checked by the tool, never
 * trusted.
 */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /**
   * Why the call can't be run as the model wrote it, such as arguments that are no JSON: answered
   * as an error.
   */
  invalid?: string;
}

/**
 * One output of a model: what the workflow's history holds of a prompt task. `opaque` is the
 * provider's own part, given back as it came.
 */
export interface Turn {
  text: string;
  toolCalls: ToolCall[];
  opaque?: unknown;
  /** What a language model used for this turn. */
  usage?: Usage;
  /** Set by the caller: digest of this turn's tool results and of the resulting tree. */
  digest?: string;
}

export interface ToolResult {
  id: string;
  /** What the tool answered, or why it failed. */
  content: string;
  isError: boolean;
}

/**
 * The conversation so far: each turn with the results of its tool calls, rebuilt from the base
 * commit.
 */
export interface Conversation {
  taskId: string;
  prompt: string;
  /** Slug and title of every page of the base commit. */
  pages: { slug: string; title: string }[];
  turns: { turn: Turn; results: ToolResult[] }[];
}

/** One page to write. */
export interface PageJob {
  taskId: string;
  template: TemplatePage;
  item: PageItem;
  /** The answer that was rejected before; it is to be mended. */
  rejected?: RejectedPage;
}

/** The page; or what a model wrote that can't be taken as it is. */
export type PageAnswer = (GeneratedPage & { rejected?: undefined }) | { rejected: RejectedPage };
