import { createValueFinder } from '../../../contract/text/containedValues.ts';
import { type RemovableNote, type Note, noteSlots } from '../../../contract/task.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../../shared/agentTypes.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { readContext } from '../../shared/context/readContext.ts';
import { findSlotFactsOrClosed, MOST_FACTS } from '../../shared/facts/findFacts.ts';
import { findCarriedOver } from '../../shared/page/findCarriedOver.ts';
import {
  type CarriedOverStatement,
  getStatementNoteKind,
} from '../../shared/page/templateOutcome.ts';
import { isSameStatement } from '../../shared/page/pageWarnings.ts';

/*
 * Finds what the notes on a page are about, so that it can be removed (removeNotedStatements.ts) or
 * replaced by a text that a person typed (replaceNotedValues.ts).
 */

/** All statements of a page that only hold for one business, place or client. */
export function findPageStatements(template: TemplatePage): CarriedOverStatement[] {
  const facts = template.slots.flatMap((slot) => findSlotFactsOrClosed(slot)).slice(0, MOST_FACTS);
  const noChanges = {
    texts: new Map(),
    replaced: new Map(),
    context: readContext(''),
    rating: undefined,
  };
  return findCarriedOver({ template, slots: template.slots, facts, ...noChanges });
}

/** The statements of a page that have a value of a note. */
export function locateNoteValue(
  note: RemovableNote,
  value: string,
  { statements, slots }: { statements: CarriedOverStatement[]; slots: readonly TextSlot[] },
): CarriedOverStatement[] {
  const statementsOfKind = statements.filter(
    ({ kind }) => getStatementNoteKind(kind) === note.kind,
  );
  const matchingStatements = statementsOfKind.filter(({ text }) => matchesValue(text, value));
  const sameStatements = statementsOfKind.filter((statement) =>
    matchingStatements.some(
      (matching) => statement === matching || isSameStatement(matching, statement),
    ),
  );
  return sameStatements.length > 0 ? sameStatements : findSlotsWithValue(value, note, slots);
}

/**
 * The texts that contain a value, as statements: for a value that is not recognized as a fact, such
 * as one that a language model noted. If the note names slots with the value, only these count.
 */
function findSlotsWithValue(
  value: string,
  note: Note,
  slots: readonly TextSlot[],
): CarriedOverStatement[] {
  const namedIds = new Set(noteSlots(note));
  const slotsWithValue = slots.filter((slot) => createValueFinder([plainText(slot.text)])(value));
  const namedSlots = slotsWithValue.filter(({ id }) => namedIds.has(id));
  return (namedSlots.length > 0 ? namedSlots : slotsWithValue).map(({ id, text, role }) => ({
    kind: 'text',
    label: 'text',
    text: plainText(text),
    slot: id,
    isHidden: role === 'structured-data',
    ids: [id],
  }));
}

/** The beginning of a value that a note shortened with `…`; undefined for a whole value. */
const readShortenedBeginning = (value: string) =>
  value.endsWith('…') ? foldWords(value.slice(0, -1)) : undefined;

/** Whether a text is a value of a note, which may be shortened. */
export function matchesValue(text: string, value: string): boolean {
  const valueBeginning = readShortenedBeginning(value);
  return valueBeginning === undefined
    ? foldWords(text) === foldWords(value)
    : foldWords(text).startsWith(valueBeginning);
}
