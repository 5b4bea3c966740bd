import type { NoteKind } from '../../contract/task.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import type { ContextData } from '../context/contextData.ts';
import type { Fact } from '../facts/findFacts.ts';

/**
 * Something that the new page says of one business, place or client, and that only the template
 * gives.
 */
export interface Kept {
  kind: NoteKind;
  /** Its name for people. */
  label: string;
  text: string;
  /** The slot where it stands, null where it stands in none. */
  slot: string | null;
  /** The fact in a text that it is. */
  fact?: Fact;
  /** True for what only programs read: structured data, the head. */
  isHidden: boolean;
  /** Ids of the slots and elements that say it. */
  ids: string[];
  /** What stands on the page of it, where that is not `text`, and the slots where it does. */
  own?: { values: string[]; slots: string[] };
}

/** What became of a template's texts. */
export interface Outcome {
  template: TemplatePage;
  /** The new page's slots. */
  slots: readonly Slot[];
  /** New texts that were given. */
  texts: ReadonlyMap<Slot, string>;
  /** Facts of the texts that were not given, and those that have a counterpart. */
  facts: Fact[];
  replaced: ReadonlyMap<Fact, string>;
  context: ContextData;
  /** Whether the context gives opening hours that the page does not show. */
  areHoursLeft: boolean;
  /** The context's rating, where it has one. */
  rating: string | undefined;
}

/** Whether an id is one of a value that no reader sees: in structured data, or in the head. */
export const isValue = (id: string) => /^s\d+\.(?:\d+|content)$/.test(id);
