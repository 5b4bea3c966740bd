import { type Batch, editableStates } from '../../contract/batches/batch.ts';
import type { Note } from '../../contract/task.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { batchRunningError, type EditableTask } from '../../editor/editableTask.ts';
import type { FactRemoval } from '../../editor/resolveNotes.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { requirePreview } from '../previews.ts';
import {
  type FactSelection,
  isChangeable,
  placeNotedValues,
  removeNotedFacts,
  typeNotedText,
  unresolvableError,
} from '../removeTaskFacts.ts';
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
 * Removes the facts of notes from all of their pages of a batch, writes a text that a person typed
 * in their place, or gives values that the pages do not use a place, as one version.
 * @throws DomainError as `listBatchVersions`; CONFLICT if none of the notes has a fact that can be
 *   removed or replaced, or a value for one of the places; INVALID_INPUT as `typeNotedText`
 */
export async function changeBatchFacts(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batch, rows, notes, ...change }: BatchFactChange,
): Promise<FactRemoval> {
  const changeableNotes = notes.filter((note) => isChangeable(note, change));
  if (changeableNotes.length === 0) throw unresolvableError(change);
  const result = await versionedBatch(deps, batch, rows);
  const by = taskCreator(caller);
  const request = { notes: changeableNotes, allNotes: result.notes, by };
  const { text, value, places } = change;
  if (places) {
    const readContext = async ({ page }: Note) => {
      const number = result.rows?.get(page!);
      return number === undefined ? '' : (await deps.batches.input(batch.batchId, number)).context;
    };
    return placeNotedValues(deps, result, { ...request, places, readContext });
  }
  return text === undefined
    ? removeNotedFacts(deps, result, request)
    : typeNotedText(deps, result, { ...request, text, ...withoutUndefined({ value }) });
}

/** With neither a `text` nor `places`, the facts are removed. */
interface BatchFactChange extends Pick<FactSelection, 'text' | 'value' | 'places'> {
  batch: Batch;
  rows: RowWithStates[];
  notes: Note[];
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
