import type { Batch, RowCounts, RowState, RowView } from '../../contract/batches/batch.ts';
import type { RequestCaller } from '../caller.ts';
import { readNoteStates, type NoteStateView } from '../openNotes.ts';
import type { NeededPorts } from '../ports.ts';
import { rowEditUrl } from './editRow.ts';

/** A batch as it is now. */
export interface BatchView {
  batch: Batch;
  counts: RowCounts;
  /** The origin of its preview. null before there is a preview, and after it is gone. */
  previewUrl: string | null;
  /** Builds that it caused at an external host. */
  builds: number;
}

export type ReadRowsPorts = ReadBatchPorts & NeededPorts<'editing' | 'noteStates' | 'creators'>;
export type ReadBatchPorts = NeededPorts<'batches' | 'builds' | 'deployments' | 'previewOriginOf'>;

/** Reads a batch. @throws DomainError NOT_FOUND */
export async function readBatch(
  caller: RequestCaller,
  deps: ReadBatchPorts,
  batchId: string,
): Promise<BatchView> {
  return viewBatch(deps, await findBatch(caller, deps, batchId));
}

/** Finds an organization's batch, and notes its site for the log. @throws DomainError NOT_FOUND */
export async function findBatch(
  { organizationId, logContext }: RequestCaller,
  { batches }: NeededPorts<'batches'>,
  batchId: string,
): Promise<Batch> {
  const batch = await batches.find(organizationId, batchId);
  logContext.siteId = batch.siteId;
  return batch;
}

export async function viewBatch(deps: ReadBatchPorts, batch: Batch): Promise<BatchView> {
  const [view] = await viewBatches(deps, [batch]);
  return view!;
}

/** Reads the views of batches, with the counts of all by one database query. */
async function viewBatches(deps: ReadBatchPorts, batches: Batch[]): Promise<BatchView[]> {
  const batchIds = batches.map(({ batchId }) => batchId);
  const [counts, builds, urls] = await Promise.all([
    deps.batches.countsOf(batchIds),
    deps.builds.countsOf(batchIds),
    Promise.all(batches.map((batch) => batchPreviewUrl(deps, batch))),
  ]);
  return batches.map((batch, index) => ({
    batch,
    counts: counts[index]!,
    builds: builds[index]!,
    previewUrl: urls[index]!,
  }));
}

async function batchPreviewUrl(
  { deployments, previewOriginOf }: ReadBatchPorts,
  { organizationId, siteId, batchId, shown }: Batch,
): Promise<string | null> {
  if (shown === undefined || !(await deployments.knownPreview(batchId))?.isShown) return null;
  return previewOriginOf({ organizationId, siteId, taskId: batchId });
}

interface BatchListRequest {
  siteId?: string;
  limit: number;
  /** The last batch of the previous page. */
  cursor?: { createdAt: string; batchId: string };
}

/**
 * Lists a page of the organization's batches, the latest first. `more`: whether another follows.
 */
export async function listBatches(
  { organizationId }: RequestCaller,
  deps: ReadBatchPorts,
  { siteId, limit, cursor }: BatchListRequest,
): Promise<{ batches: BatchView[]; more: boolean }> {
  const foundBatches = await deps.batches.list(organizationId, {
    limit: limit + 1,
    ...(siteId !== undefined && { siteId }),
    ...(cursor && { before: cursor }),
  });
  const batches = await viewBatches(deps, foundBatches.slice(0, limit));
  return { batches, more: foundBatches.length > limit };
}

interface RowsRequest {
  batchId: string;
  state?: RowState;
  limit: number;
  /** The number of the last row of the previous page. */
  cursor?: number;
}

/** A row with the states of its notes. */
export interface RowWithStates {
  row: RowView;
  /** The URL for editing its page. null while the page can't be edited. */
  editUrl: string | null;
  /** In the order of its notes. */
  states: NoteStateView[];
}

/** Lists a page of a batch's rows. If the preview is gone, its URLs are null. */
export async function readRows(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batchId, state, limit, cursor = 0 }: RowsRequest,
): Promise<{ rows: RowWithStates[]; more: boolean }> {
  const batch = await findBatch(caller, deps, batchId);
  const foundRows = await deps.batches.rows(batchId, {
    after: cursor,
    limit: limit + 1,
    ...(state && { state }),
  });
  const rows = foundRows.slice(0, limit);
  const isShown =
    rows.every(({ previewUrl }) => previewUrl === null) ||
    ((await deps.deployments.knownPreview(batchId))?.isShown ?? false);
  const shownRows = isShown ? rows : rows.map((row) => ({ ...row, previewUrl: null }));
  const noteStates = await readNoteStates(
    deps,
    batchId,
    shownRows.flatMap(({ notes = [] }) => notes),
  );
  return {
    rows: shownRows.map((row) => ({
      row,
      editUrl: rowEditUrl(deps, batch, row),
      states: noteStates.splice(0, row.notes?.length ?? 0),
    })),
    more: foundRows.length > limit,
  };
}

/** Rows of one read of the database. */
const ROWS_AT_ONCE = 500;

/** Reads all rows of a batch: up to 5,000. @throws DomainError NOT_FOUND */
export async function readAllRows(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  batchId: string,
): Promise<RowWithStates[]> {
  const allRows: RowWithStates[] = [];
  for (let cursor = 0; ;) {
    const { rows, more } = await readRows(caller, deps, { batchId, limit: ROWS_AT_ONCE, cursor });
    allRows.push(...rows);
    if (!more) return allRows;
    cursor = rows.at(-1)!.row.number;
  }
}
