import type { Batch, RowCounts, RowState, RowView } from '../../contract/batch.ts';
import type { Caller } from '../caller.ts';
import { statesOf, type ToldState } from '../openNotes.ts';
import type { Needs } from '../ports.ts';
import { editUrlOf } from './editRow.ts';

/** A batch as it is now. */
export interface BatchView {
  batch: Batch;
  counts: RowCounts;
  /** The origin of its preview. Null before there is one, and once it is gone. */
  previewUrl: string | null;
  /** Builds that it caused at a host of the team's own. */
  builds: number;
}

export type ReadRowsDeps = ReadBatchDeps & Needs<'editing' | 'noteStates' | 'makers'>;
export type ReadBatchDeps = Needs<'batches' | 'builds' | 'deployments' | 'previewAddress'>;

/** Reads a batch. @throws DomainError NOT_FOUND */
export async function readBatch(
  caller: Caller,
  deps: ReadBatchDeps,
  batchId: string,
): Promise<BatchView> {
  return viewOf(deps, await findBatch(caller, deps, batchId));
}

/** @throws DomainError NOT_FOUND */
export async function findBatch(
  { organizationId, subject }: Caller,
  { batches }: Needs<'batches'>,
  batchId: string,
): Promise<Batch> {
  const batch = await batches.find(organizationId, batchId);
  subject.siteId = batch.siteId;
  return batch;
}

export async function viewOf(deps: ReadBatchDeps, batch: Batch): Promise<BatchView> {
  const [view] = await viewsOf(deps, [batch]);
  return view!;
}

/** The counts of all are one statement. */
async function viewsOf(deps: ReadBatchDeps, batches: Batch[]): Promise<BatchView[]> {
  const ids = batches.map(({ batchId }) => batchId);
  const [counts, builds, urls] = await Promise.all([
    deps.batches.countsOf(ids),
    deps.builds.countsOf(ids),
    Promise.all(batches.map((batch) => previewOf(deps, batch))),
  ]);
  return batches.map((batch, at) => ({
    batch,
    counts: counts[at]!,
    builds: builds[at]!,
    previewUrl: urls[at]!,
  }));
}

async function previewOf(
  { deployments, previewAddress }: ReadBatchDeps,
  { organizationId, siteId, batchId, shown }: Batch,
): Promise<string | null> {
  if (shown === undefined || !(await deployments.knownPreview(batchId))?.isShown) return null;
  return previewAddress({ organizationId, siteId, taskId: batchId });
}

interface ListRequest {
  siteId?: string;
  limit: number;
  /** The last batch of the part before. */
  cursor?: { createdAt: string; batchId: string };
}

/** A part of the organization's batches, the latest first. */
export async function listBatches(
  { organizationId }: Caller,
  deps: ReadBatchDeps,
  { siteId, limit, cursor }: ListRequest,
): Promise<{ batches: BatchView[]; more: boolean }> {
  const found = await deps.batches.list(organizationId, {
    limit: limit + 1,
    ...(siteId !== undefined && { siteId }),
    ...(cursor && { before: cursor }),
  });
  const batches = await viewsOf(deps, found.slice(0, limit));
  return { batches, more: found.length > limit };
}

interface RowsRequest {
  batchId: string;
  state?: RowState;
  limit: number;
  /** The number of the last row of the part before. */
  cursor?: number;
}

/** A row with the states of its notes. */
export interface ReadRow {
  row: RowView;
  /** Where its page is edited; null while it can't be. */
  editUrl: string | null;
  /** In the order of its notes. */
  states: ToldState[];
}

/** A part of a batch's rows. Addresses of a preview that is gone are null. */
export async function readRows(
  caller: Caller,
  deps: ReadRowsDeps,
  { batchId, state, limit, cursor = 0 }: RowsRequest,
): Promise<{ rows: ReadRow[]; more: boolean }> {
  const batch = await findBatch(caller, deps, batchId);
  const found = await deps.batches.rows(batchId, {
    after: cursor,
    limit: limit + 1,
    ...(state && { state }),
  });
  const rows = found.slice(0, limit);
  const isShown =
    rows.every(({ previewUrl }) => previewUrl === null) ||
    ((await deps.deployments.knownPreview(batchId))?.isShown ?? false);
  const shown = isShown ? rows : rows.map((row) => ({ ...row, previewUrl: null }));
  const states = await statesOf(
    deps,
    batchId,
    shown.flatMap(({ notes = [] }) => notes),
  );
  return {
    rows: shown.map((row) => ({
      row,
      editUrl: editUrlOf(deps, batch, row),
      states: states.splice(0, row.notes?.length ?? 0),
    })),
    more: found.length > limit,
  };
}
