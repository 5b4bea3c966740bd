import { type Batch, editableStates } from '../../contract/batches/batch.ts';
import { isDroppable, type Note } from '../../contract/task.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { batchRunningError, type EditableTask } from '../../editor/editableTask.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { requirePreview } from '../previews.ts';
import { resolveRemovedNotes } from '../removeTaskFacts.ts';
import { taskCreator } from '../startTask.ts';
import { taskConflict } from '../taskResults.ts';
import { readAllVersions, type TaskVersion, undoResultVersion } from '../taskVersions.ts';
import { findBatch, readAllRows, type ReadRowsPorts, type RowWithStates } from './read.ts';

/**
 * The versions of a batch are what people did to its pages since the batch took over the production
 * branch: edits, removals of facts, and failed rows that were written again after the first run.
 */

/**
 * Lists the versions of a batch's pages, the latest first.
 * @throws DomainError NOT_FOUND; CONFLICT while it runs, and if it has no preview; UNAVAILABLE
 */
export async function listBatchVersions(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  batchId: string,
): Promise<{ taskId: string; versions: TaskVersion[] }> {
  const batch = await findBatch(caller, deps, batchId);
  const result = await versionedBatch(deps, batch, await readAllRows(caller, deps, batchId));
  const { title: summary, createdAt: at, createdBy } = batch;
  const versions = await readAllVersions(deps, result, { summary, at, createdBy });
  return { taskId: batchId, versions };
}

/**
 * Undoes the current version of a batch's pages. Rows whose repair is undone are failed again.
 * @throws DomainError as `listBatchVersions`; CONFLICT if another version is current, if pages were
 *   added after it, or if repaired pages are live
 */
export async function undoBatchVersion(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batchId, version }: { batchId: string; version?: number },
): Promise<TaskVersion> {
  const batch = await findBatch(caller, deps, batchId);
  const result = await versionedBatch(deps, batch, await readAllRows(caller, deps, batchId));
  const notes = result.notes.map((note) => ({ ...note, task: batchId }));
  return undoResultVersion(caller, deps, result, {
    version,
    notes,
    prepare: ({ kind, pages }) =>
      kind === 'repair' ? failRepairedRows(deps, result, pages) : Promise.resolve(),
  });
}

async function failRepairedRows(
  { batches }: NeededPorts<'batches'>,
  { taskId, rows }: EditableTask,
  slugs: string[],
): Promise<void> {
  const numbers = slugs.flatMap((slug) => rows?.get(slug) ?? []);
  if (numbers.length > 0 && !(await batches.undoRepair(taskId, numbers)))
    throw taskConflict('The repaired pages are live, or the batch runs');
}

/**
 * Removes the facts of notes from all of their pages of a batch, as one version.
 * @returns the number of notes that are resolved by that
 * @throws DomainError as `listBatchVersions`; CONFLICT if none of the notes has a removable fact
 */
export async function removeBatchFacts(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batch, rows, notes }: { batch: Batch; rows: RowWithStates[]; notes: Note[] },
): Promise<number> {
  const removableNotes = notes.filter(isDroppable);
  if (removableNotes.length === 0)
    throw taskConflict('No note of this selection can be resolved by removing its text');
  const result = await versionedBatch(deps, batch, rows);
  const by = taskCreator(caller);
  const request = { notes: removableNotes, allNotes: result.notes, by };
  const removal = await deps.editing.editor.removeFacts(result, request);
  await resolveRemovedNotes(deps, result, { removal, by });
  return removal.removed.length + removal.gone.length;
}

/** What the editor needs to change the pages of a batch as a whole. */
async function versionedBatch(
  deps: NeededPorts<'deployments'>,
  { batchId, organizationId, siteId, status, base, shown }: Batch,
  rows: RowWithStates[],
): Promise<EditableTask> {
  if (status === 'running') throw batchRunningError();
  if (status === 'cancelled' || shown === undefined)
    throw taskConflict('The batch has no pages that can be changed');
  await requirePreview(deps, batchId);
  const editableRows = rows
    .map(({ row }) => row)
    .filter(({ state }) => (editableStates as readonly string[]).includes(state));
  return {
    taskId: batchId,
    organizationId,
    siteId,
    commit: shown,
    ...withoutUndefined({ base }),
    pages: editableRows.map((row) => ({ slug: row.targetPageSlug, previewUrl: row.previewUrl })),
    notes: editableRows.flatMap(({ notes = [] }) => notes),
    rows: new Map(editableRows.map((row) => [row.targetPageSlug, row.number])),
  };
}
