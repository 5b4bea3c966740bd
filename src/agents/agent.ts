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
 * A template as an agent sees it: its unlocked slots, its repeated blocks (`groups`), its quotes,
 * ratings and maps (`claims`), and the blocks that can be removed.
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

/** A template for agents: the texts of the site's chrome are for reading only. */
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
   * The new numbers of members of groups; other groups keep theirs. `GroupCounts` tells the ids of
   * cloned slots.
   */
  groups?: GroupCounts;
  /**
   * Ids of blocks, and of values in structured data, to remove. `texts` has none of their slots.
   */
  removed?: string[];
  /** BCP 47 tag of the page's language; the template's if absent. */
  lang?: string;
  /** ISO 3166-1 code of the country of telephone numbers without a country code, if known. */
  country?: string;
  /** The e-mail address and telephone number for the page's links, from the context. */
  contacts?: Contacts;
  /** Notes on the page for the task's output, such as facts that are still the template's. */
  notes: Note[];
  /** The language model's usage. */
  usage?: Usage;
}

/**
 * A tool call of a turn. `id` is unique in the task. The tool checks `arguments`: they are not
 * trusted.
 */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /**
   * Why the call can't be run, such as arguments that are not JSON. It is answered with this error.
   */
  invalid?: string;
}

/**
 * One answer of a model, as the workflow's history stores it. `opaque` is the provider's own data,
 * sent back unchanged.
 */
export interface Turn {
  text: string;
  toolCalls: ToolCall[];
  opaque?: unknown;
  /** The language model's usage for this turn. */
  usage?: Usage;
  /** Digest of this turn's tool results and the resulting edits, set by the caller. */
  digest?: string;
}

export interface ToolResult {
  id: string;
  /** What the tool answered, or why it failed. */
  content: string;
  isError: boolean;
}

/** A conversation: its turns with the results of their tool calls. */
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
  /** The model's answer that was rejected, to be corrected. */
  rejected?: RejectedPage;
}

/** The page, or a model's answer that was rejected. */
export type PageAnswer = (GeneratedPage & { rejected?: undefined }) | { rejected: RejectedPage };
