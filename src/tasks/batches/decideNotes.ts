import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { matchingNoteIds } from '../../contract/notes/sameNotes.ts';
import type { RequestCaller } from '../caller.ts';
import { type NoteStatesRequest, selectNotes, setNoteStates } from '../changeNoteStates.ts';
import { taskCreator } from '../startTask.ts';
import { type BatchView, readAllRows, readBatch, type ReadRowsPorts } from './read.ts';

/** Which notes of a batch get which state. The id of a note selects it on all pages. */
export interface BatchNotesRequest extends NoteStatesRequest {
  batchId: string;
}

/**
 * Sets the state of the notes on the pages of a batch: a person resolves notes that are done or
 * accepted, or opens them again.
 * @returns the batch, and the number of notes
 * @throws DomainError NOT_FOUND
 */
export async function decideBatchNotes(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batchId, state, page, notes: noteIds }: BatchNotesRequest,
): Promise<{ view: BatchView; count: number }> {
  const view = await readBatch(caller, deps, batchId);
  const rows = await readAllRows(caller, deps, batchId);
  const allNotes = rows.flatMap(({ row: { notes = [] } }) => notes);
  const notes = selectNotes(
    allNotes,
    withoutUndefined({ page, notes: noteIds && matchingNoteIds(allNotes, noteIds) }),
  );
  const { organizationId } = caller;
  const by = taskCreator(caller);
  await setNoteStates(deps.noteStates, { organizationId, taskId: batchId, notes, state, by });
  return { view, count: notes.length };
}
