import type { NoteKind } from '../../../contract/task.ts';
import type { ClaimKind, TextSlot } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import type { ContextData } from '../context/contextData.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import type { Fact } from '../facts/findFacts.ts';

/** The kind of a statement. A `text` is a value of a note that is not recognized as a fact. */
export type StatementKind = FactKind | ClaimKind | 'text';

const noteKinds = {
  quote: 'quote',
  rating: 'rating',
  reviews: 'rating',
  price: 'price',
  date: 'date',
  hours: 'contact',
  telephone: 'contact',
  email: 'contact',
  address: 'contact',
  map: 'contact',
  coordinates: 'contact',
  text: 'invented',
} as const satisfies Record<StatementKind, NoteKind>;

/** The kind of the note on a fact. */
export const getStatementNoteKind = (kind: StatementKind): NoteKind => noteKinds[kind];

/**
 * A statement that was carried over: it is about one business, place or client, only the template
 * gives it, and the new page still has it.
 */
export interface CarriedOverStatement {
  kind: StatementKind;
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
}

/** What became of a template's texts on the new page. */
export interface TemplateOutcome {
  template: TemplatePage;
  /** The new page's slots. */
  slots: readonly TextSlot[];
  /** New texts from the context. */
  texts: ReadonlyMap<TextSlot, string>;
  /** Facts of texts without a new text, and facts with a replacement. */
  facts: Fact[];
  replaced: ReadonlyMap<Fact, string>;
  context: ContextData;
  /** The context's rating, if it has one. */
  rating: string | undefined;
}

/** Whether an id belongs to a value that people don't see: in structured data, or in the head. */
export const isHiddenValueId = (id: string) => /^s(?!0\.)\d+\.(?:\d+|content)$/.test(id);
