import type { NoteKind } from '../../contract/task.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import type { ContextData } from '../context/contextData.ts';
import type { Fact } from '../facts/findFacts.ts';

/** A statement on the new page about one business, place or client that only the template gives. */
export interface Kept {
  kind: NoteKind;
  /** Its name for people. */
  label: string;
  text: string;
  /** The slot with the statement; null if it is in no slot. */
  slot: string | null;
  /** The fact that it is, if it is part of a text. */
  fact?: Fact;
  /** Whether only programs read it: in structured data, or in the head. */
  isHidden: boolean;
  /** Ids of the slots and elements that contain it. */
  ids: string[];
  /** Its literal values on the page and their slots, if they differ from `text`. */
  own?: { values: string[]; slots: string[] };
}

/** What happened to a template's texts. */
export interface Outcome {
  template: TemplatePage;
  /** The new page's slots. */
  slots: readonly Slot[];
  /** New texts from the context. */
  texts: ReadonlyMap<Slot, string>;
  /** Facts of texts without a new text, and facts with a replacement. */
  facts: Fact[];
  replaced: ReadonlyMap<Fact, string>;
  context: ContextData;
  /** Whether the context gives opening hours that the page does not show. */
  areHoursLeft: boolean;
  /** The context's rating, if it has one. */
  rating: string | undefined;
}

/** Whether an id belongs to a value that people don't see: in structured data, or in the head. */
export const isValue = (id: string) => /^s\d+\.(?:\d+|content)$/.test(id);
