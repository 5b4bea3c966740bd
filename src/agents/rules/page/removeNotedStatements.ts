import { createPageNote, noteValues } from '../../../contract/task.ts';
import { truncateText } from '../../../text/text.ts';
import type { NoteRemovalJob, NoteRemoval } from '../../agentPorts.ts';
import { dropCarriedOver, type DroppedContent } from '../../shared/page/dropCarriedOver.ts';
import type { CarriedOverStatement } from '../../shared/page/templateOutcome.ts';
import { isSameStatement } from '../../shared/page/pageWarnings.ts';
import { findPageStatements, locateNoteValue } from './notedStatements.ts';

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
    notes.map((note) => [
      note,
      noteValues(note).map((value) => locateNoteValue(note, value, { statements, ...page })),
    ]),
  );
  const notedStatements = [...valuesByNote.values()].flat(2);
  const dropped = dropCarriedOver(page, page.slots, [...new Set(notedStatements)]);
  const isGone = ({ ids }: CarriedOverStatement) => ids.some((id) => dropped.goneIds.has(id));
  const resolvedNotes = [...valuesByNote].filter(([, values]) =>
    values.every((noted) => noted.every(isGone)),
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
