import type { Slot, SlotGroup, SlotTexts, PageLink } from '../../sites/formats/page.ts';
import type { PageSource } from '../../sites/formats/format.ts';
import type { PageFile } from '../../contract/site.ts';
import type { LinkBlock } from '../../sites/formats/linkBlocks.ts';
import type { InThreads, Pooled } from '../../threads/callsInThreads.ts';
import type { TemplatePage } from '../agent.ts';
import type { MadePage, WrittenBlock } from '../page/linkBlock.ts';

/** What a replacement makes of a page's slots. */
export interface Replacement {
  texts: SlotTexts;
  count: number;
  otherCase: number;
  inAddresses: number;
  /**
   * Writings of the telephone number that were not replaced: with the country's code, or without
   * it.
   */
  otherNumbers: string[];
  /** The sum that was replaced, as structured data states it. */
  bareAmounts: string[];
}

export const nothingReplaced = (): Replacement => ({
  texts: {},
  count: 0,
  otherCase: 0,
  inAddresses: 0,
  otherNumbers: [],
  bareAmounts: [],
});

/** Slots that `findWords` names. */
export const HITS_PER_PAGE = 5;
/** Pages that `search` names. */
export const PAGES_WITH_HITS = 50;

/** How often words stand in slots, and the first slots with them. */
export interface Hits {
  count: number;
  /** How many of them are written in the same case. */
  sameCase: number;
  hits: { id: string; role: Slot['role']; text: string }[];
}

/** The parts of a page that may state facts. */
export interface FactPage {
  slots: Slot[];
  links: PageLink[];
  groups: SlotGroup[];
  /** Ids of the texts in its footer, where the year may change; null where it has none. */
  footer?: string[] | null;
}

/** A fact that is to change wherever a page states it. */
export type FactChange =
  | { kind: 'telephone' | 'email'; from?: string; to: string }
  | { kind: 'year'; from?: string; year: string }
  /** Of a package, or every price that is `from` now. */
  | { kind: 'price'; name?: string; from?: string; to: string }
  | { kind: 'raise'; percent: number };

/** A new text of a slot, with the slot's numbered parts or without any. */
export interface TextEdit {
  id: string;
  text: string;
}

/** What becomes of a page's texts when some are written. */
export interface TextPlan {
  texts: SlotTexts;
  /** Ids that the page does not have. */
  unknown: string[];
  /** Ids of texts that said this already. */
  unchanged: string[];
  /** Ids of texts that said the same as one that is written, and become the same again. */
  followed: string[];
  /** Texts that become much longer, in characters. */
  longer: { id: string; before: number; after: number }[];
}

/** A line of a file, from 1, with what stands around the hit in it. */
export interface LineHit {
  line: number;
  text: string;
}

/** What becomes of a page's facts. */
export interface FactsChanged {
  texts: SlotTexts;
  links: { id: string; target: string }[];
  /** Every number or address of the kind that the page has. */
  found: string[];
  /** Old and new prices. */
  notes: [old: string, now: string][];
  /** Texts that may state the old fact too, but not surely: they stay as they are. */
  left: string[];
}

/** The calls of the tools that read texts of pages. Every call is pure. */
export interface TextCalls {
  /**
   * Whether a page's source can show `words` at all: a look that saves parsing most pages of a
   * large site. Never false for a page that shows them.
   */
  mayContain(page: PageSource, words: string): boolean;
  /** Whether a page can have an address of another one. */
  mayLeadTo(page: PageSource, target: PageFile): boolean;
  /** Slots with their texts as readers see them: without marks. */
  plain(slots: Slot[]): Slot[];
  /** A new text of a slot with the slot's parts. Throws INVALID_INPUT for parts that are broken. */
  marked(slot: Slot, text: string): string;
  /**
   * The slots' texts with words replaced that stand outside of addresses; with `anyCase` also in
   * another case, which the new words take over.
   */
  replaceWords(
    slots: Slot[],
    from: string,
    to: string,
    options?: { anyCase?: boolean },
  ): Replacement;
  /** A fact changed wherever a page states it. */
  changeFacts(page: FactPage, change: FactChange): FactsChanged;
  /** Numbers or addresses without other writings of the same ones. */
  differentContacts(found: string[], kind: 'telephone' | 'email'): string[];
  /** Addresses in texts and links that hold a word of a name. */
  addressesWith(slots: Slot[], links: PageLink[], name: string): string[];
  /** Where words stand in slots, in any case. */
  findWords(slots: Slot[], words: string): Hits;
  /** The texts of a block that led to the template and leads to a new page, once for each. */
  writeLinkBlocks(block: LinkBlock, template: TemplatePage, made: MadePage[]): WrittenBlock[];
  /** The links whose whole text is this one, in any case. */
  linksNamed(links: PageLink[], text: string): PageLink[];
  /**
   * What becomes of a page's texts when some are written: titles for other sites and structured
   * data follow. Throws INVALID_INPUT naming the text whose parts are broken, or that is given
   * twice.
   */
  planTexts(slots: Slot[], edits: TextEdit[]): TextPlan;
  /** The links whose text or address has these words in it, in any case. */
  linksWith(links: PageLink[], words: string): PageLink[];
  /** How many lines of a file have these words in them, in any case, and the first of them. */
  linesWith(source: string, words: string): { count: number; hits: LineHit[] };
  /** The names that are written most like one. */
  closest(names: string[], name: string): string[];
}

/** `TextCalls` from outside: each in a worker thread. */
export type Texts = InThreads<TextCalls>;

/** The threads that read texts. Its own calls are the service's own work. */
export type TextsPool = Pooled<Texts>;
