import type { Slot, SlotGroup, SlotTexts, PageLink } from '../../sites/formats/page.ts';
import type { PageSource } from '../../sites/formats/format.ts';
import type { PageFile } from '../../contract/site.ts';
import type { PageSlots } from '../../contract/check.ts';
import type { LinkBlock } from '../../sites/formats/linkBlocks.ts';
import type { InThreads, Pooled } from '../../threads/callsInThreads.ts';
import type { LeftValue } from '../facts/leftValues.ts';
import type { StaleCurrency } from '../facts/staleCurrencies.ts';
import type { EditedAlike } from '../source/editAlike.ts';
import type { EditedSource, SourceEdit } from '../source/editSource.ts';
import type { SourceView } from '../source/readSource.ts';
import type { TemplatePage } from '../agent.ts';
import type { MadePage, WrittenBlock } from '../page/linkBlock.ts';

/** The result of a replacement in a page's slots. */
export interface Replacement {
  texts: SlotTexts;
  /** What the writer should know of the new texts. */
  remarks: string[];
  count: number;
  otherCase: number;
  inAddresses: number;
  /**
   * Notations of the telephone number that were not replaced: with the country code, or without.
   */
  otherNumbers: string[];
  /** The replaced sum, as structured data states it. */
  bareAmounts: string[];
}

export const nothingReplaced = (): Replacement => ({
  texts: {},
  remarks: [],
  count: 0,
  otherCase: 0,
  inAddresses: 0,
  otherNumbers: [],
  bareAmounts: [],
});

/** Most slots that `findWords` lists. */
export const HITS_PER_PAGE = 5;
/** Most pages that `search` lists. */
export const PAGES_WITH_HITS = 50;

/** How often words occur in slots, and the first slots with them. */
export interface Hits {
  count: number;
  /** How many of the hits have the same letter case. */
  sameCase: number;
  hits: { id: string; role: Slot['role']; text: string }[];
}

/** The parts of a page that may state facts. */
export interface FactPage {
  slots: Slot[];
  links: PageLink[];
  groups: SlotGroup[];
  /** Ids of the texts in its footer, where the year may change; null if it has no footer. */
  footer?: string[] | null;
}

/** A change of a fact wherever a page states it. */
export type FactChange =
  | { kind: 'telephone' | 'email'; from?: string; to: string }
  | { kind: 'year'; from?: string; year: string }
  /** The price of a package, or every price that is `from` now. */
  | { kind: 'price'; name?: string; from?: string; to: string }
  | { kind: 'raise'; percent: number };

/** A line of a file, counted from 1, with the text around the hit. */
export interface LineHit {
  line: number;
  text: string;
}

/** The result of changing a page's facts. */
export interface FactsChanged {
  texts: SlotTexts;
  links: { id: string; target: string }[];
  /** All numbers or addresses of the kind on the page. */
  found: string[];
  /** The changed prices. */
  notes: [old: string, now: string][];
  /** Texts that may state the old fact too. They stay unchanged, since it is not certain. */
  left: string[];
}

/** The calls of tools on pages' texts. Every call is pure. */
export interface TextCalls {
  /**
   * Whether a page's source may contain `words`. A quick check that saves parsing most pages of a
   * large site. Never false for a page that shows the words.
   */
  mayContain(page: PageSource, words: string): boolean;
  /** Whether a page may link to another page. */
  mayLeadTo(page: PageSource, target: PageFile): boolean;
  /** Slots with texts as readers see them: without marks. */
  plain(slots: Slot[]): Slot[];
  /**
   * The slots whose lines an outline shows, in its order.
   * @param kinds those of all slots, as the outline names them
   */
  slotsIn(outline: string, slots: Slot[], kinds: string[]): PageSlots;
  /** A slot's new text with the slot's parts. Throws INVALID_INPUT for broken parts. */
  marked(slot: Slot, text: string): string;
  /**
   * Replaces words in the slots' texts, outside of addresses. With `anyCase` in any letter case,
   * which the new words take over.
   */
  replaceWords(
    slots: Slot[],
    from: string,
    to: string,
    options?: { anyCase?: boolean },
  ): Replacement;
  /**
   * The opening hours in structured data with a time that texts showed before, and that the page
   * shows no more.
   * @param before texts as they were
   */
  staleTimes(before: Slot[], now: Slot[]): string[];
  /**
   * The prices, telephone numbers, e-mail addresses and opening hours that were written over, and
   * that other texts of the page still have.
   * @param before the written slots as they were
   * @param groups the page's
   */
  leftValues(before: Slot[], now: Slot[], groups: SlotGroup[]): LeftValue[];
  /**
   * The prices of structured data that a page shows in other currencies only, where the price or
   * the text that shows it was written.
   */
  staleCurrencies(
    written: string[],
    now: Slot[],
    currencies: Record<string, string>,
  ): StaleCurrency[];
  /** Changes a fact wherever a page states it. */
  changeFacts(page: FactPage, change: FactChange): FactsChanged;
  /** Numbers or addresses, without repeated ones in other notations. */
  differentContacts(found: string[], kind: 'telephone' | 'email'): string[];
  /** Addresses in texts and links that contain a word of a name. */
  addressesWith(slots: Slot[], links: PageLink[], name: string): string[];
  /** Where words occur in slots, in any case. */
  findWords(slots: Slot[], words: string): Hits;
  /**
   * For each made page, the texts of a block that linked to the template and now links to that
   * page.
   */
  writeLinkBlocks(block: LinkBlock, template: TemplatePage, made: MadePage[]): WrittenBlock[];
  /** The links with this whole text, in any case. */
  linksNamed(links: PageLink[], text: string): PageLink[];
  /** How many lines of a file contain these words, in any case, and the first of these lines. */
  linesWith(source: string, words: string): { count: number; hits: LineHit[] };
  /** The numbered lines of a page's HTML. Throws INVALID_INPUT with the nearest lines. */
  readSource(source: string, view: SourceView): string;
  /** Makes edits of a page's HTML. Throws INVALID_INPUT with the nearest lines. */
  editSource(page: PageSource, edits: SourceEdit[]): EditedSource;
  /**
   * Makes the same edits on another page, where it has the same blocks.
   * @param page the page before the edits
   */
  editAlike(page: PageSource, other: PageSource, edits: SourceEdit[]): EditedAlike;
  /** The names most similar to a name. */
  closest(names: string[], name: string): string[];
}

/** `TextCalls` as seen from the main thread: each call runs in a worker thread. */
export type Texts = InThreads<TextCalls>;

/** The threads that read texts. Calls made on the pool itself count as the service's own work. */
export type TextsPool = Pooled<Texts>;
