import { createValueFinder } from '../../../contract/text/containedValues.ts';
import {
  type RemovableNote,
  type Note,
  createPageNote,
  noteSlots,
  noteValues,
} from '../../../contract/task.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { truncateText } from '../../../text/text.ts';
import type { TemplatePage } from '../../shared/agentTypes.ts';
import type { NoteRemovalJob, NoteRemoval } from '../../agentPorts.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { readContext } from '../../shared/context/readContext.ts';
import { dropCarriedOver, type DroppedContent } from '../../shared/page/dropCarriedOver.ts';
import { findSlotFactsOrClosed, MOST_FACTS } from '../../shared/facts/findFacts.ts';
import { findCarriedOver } from '../../shared/page/findCarriedOver.ts';
import {
  type CarriedOverStatement,
  getStatementNoteKind,
} from '../../shared/page/templateOutcome.ts';
import { isSameStatement } from '../../shared/page/pageWarnings.ts';

const MAX_QUOTED_LENGTH = 90;

/**
 * Finds the statements of a page that its notes are about, and plans their removal, as
 * `facts: drop` does for a new page. A note says what a person should check, such as a price of the
 * template that is still on the page. A statement that the page no longer has counts as removed.
 * @returns the ids to remove, and the ids of the notes that are resolved by that
 */
export function removeNotedStatements({ page, notes }: NoteRemovalJob): NoteRemoval {
  const statements = findPageStatements(page);
  const valuesByNote = new Map(
    notes.map((note) => [note, locateNoteValues(note, statements, page.slots)]),
  );
  const notedStatements = [...valuesByNote.values()]
    .flat()
    .flatMap(({ statements: statement }) => statement);
  const dropped = dropCarriedOver(page, page.slots, [...new Set(notedStatements)]);
  const isGone = ({ ids }: CarriedOverStatement) => ids.some((id) => dropped.goneIds.has(id));
  const resolvedNotes = [...valuesByNote].filter(([, values]) =>
    values.every(({ statements: statement }) => statement.every(isGone)),
  );
  const remainingStatements = [...new Set(notedStatements)].filter(
    (statement) => !isGone(statement),
  );
  const slug = page.slug;
  return {
    removed: dropped.removed,
    dropped: resolvedNotes.map(([{ id }]) => id),
    sentences: [
      ...describeRemovals(slug, dropped),
      ...remainingStatements.map(
        (statement) => `${slug}: ${remainingStatementSentence(statement)}`,
      ),
    ],
    notes: dropped.links.map((id) =>
      createPageNote(slug, 'part', `a link leads to "#${shortenNoteText(id)}", which was removed`, {
        value: `#${id}`,
      }),
    ),
  };
}

/** All statements of a page that only hold for one business, place or client. */
function findPageStatements(template: TemplatePage): CarriedOverStatement[] {
  const facts = template.slots.flatMap((slot) => findSlotFactsOrClosed(slot)).slice(0, MOST_FACTS);
  const noChanges = {
    texts: new Map(),
    replaced: new Map(),
    context: readContext(''),
    rating: undefined,
  };
  return findCarriedOver({ template, slots: template.slots, facts, ...noChanges });
}

/** The statements of the page that have each of a note's values. */
function locateNoteValues(
  note: RemovableNote,
  statements: CarriedOverStatement[],
  slots: readonly TextSlot[],
): { value: string; statements: CarriedOverStatement[] }[] {
  const statementsOfKind = statements.filter(
    ({ kind }) => getStatementNoteKind(kind) === note.kind,
  );
  return noteValues(note).map((value) => {
    const matchingStatements = statementsOfKind.filter(({ text }) => matchesValue(text, value));
    const sameStatements = statementsOfKind.filter((statement) =>
      matchingStatements.some(
        (matching) => statement === matching || isSameStatement(matching, statement),
      ),
    );
    return {
      value,
      statements:
        sameStatements.length > 0 ? sameStatements : findSlotsWithValue(value, note, slots),
    };
  });
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

function matchesValue(text: string, value: string): boolean {
  const valueBeginning = readShortenedBeginning(value);
  return valueBeginning === undefined
    ? foldWords(text) === foldWords(value)
    : foldWords(text).startsWith(valueBeginning);
}

function describeRemovals(slug: string, { removedStatements, sections }: DroppedContent): string[] {
  const distinctStatements = removedStatements.filter(
    (statement, index) =>
      !removedStatements.slice(0, index).some((earlier) => isSameStatement(earlier, statement)),
  );
  const parts = [
    ...distinctStatements.map(describeStatement),
    ...sections.map((heading) => `the section "${shortenNoteText(heading)}"`),
  ];
  return parts.length === 0 ? [] : [`${slug}: removed ${parts.join(', ')}`];
}

export const remainingStatementSentence = (
  statement: Pick<CarriedOverStatement, 'label' | 'text'>,
) => `${describeStatement(statement)} can't be removed alone. Edit it by hand`;

const describeStatement = ({ label, text }: Pick<CarriedOverStatement, 'label' | 'text'>) =>
  `the ${label} "${shortenNoteText(text)}"`;
const shortenNoteText = (text: string) => truncateText(text, MAX_QUOTED_LENGTH);
