import type { Batch, BatchStatus, RowRepair, RowState } from '../../contract/batches/batch.ts';
import type { BatchChanges } from '../../contract/batches/batchStore.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Site, SiteWithRepository } from '../../contract/site.ts';
import { DomainError, hasErrorCode, onCode } from '../../errors.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { findCallerSite, taskCreator } from '../startTask.ts';
import { type BatchView, findBatch, type ReadBatchPorts, viewBatch } from './read.ts';
import { batchToRun } from './batchToRun.ts';

export type BatchCommandPorts = ReadBatchPorts &
  NeededPorts<'batchRuns' | 'sites' | 'tokenLimits' | 'approvals' | 'readCurrentVersion'>;

/** A batch, and the rows that a command is for. */
interface SelectedRows {
  batchId: string;
  /** The numbers of the rows. Absent: all rows in a suitable state. */
  rows?: number[];
}

const statusTexts: Record<BatchStatus, string> = {
  running: 'it is running',
  paused: 'it is paused',
  waiting: 'it is waiting for the approval of its canary',
  completed: 'it has completed',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
};

/** Stops a batch after the pages that are being written. @throws DomainError NOT_FOUND, CONFLICT */
export async function pauseBatch(caller: RequestCaller, deps: BatchCommandPorts, batchId: string) {
  const command = { batchId, what: 'be paused', states: ['running' as const] };
  const batch = await findInStatus(caller, deps, command);
  await changeInStatus(caller, deps, command, { status: 'paused' });
  await deps.batchRuns.pauseRun(batchId).catch(ignoreUnavailable);
  return readChangedBatch(deps, batch);
}

/** The run also reads the batch's status in the database, so a lost signal does no harm. */
const ignoreUnavailable = onCode(['UNAVAILABLE'], undefined);

/**
 * Continues a batch that is paused or has failed.
 * @throws DomainError NOT_FOUND, CONFLICT, TOKENS_USED_UP, TOO_MANY_IN_FLIGHT, START_FAILED
 */
export async function resumeBatch(caller: RequestCaller, deps: BatchCommandPorts, batchId: string) {
  const command = { batchId, what: 'be resumed', states: ['paused' as const, 'failed' as const] };
  const batch = await findInStatus(caller, deps, command);
  await changeAndStart(caller, deps, {
    command,
    batch,
    site: await findSiteToRun(caller, deps, batch),
    change: () => Promise.resolve(),
  });
  return readChangedBatch(deps, batch);
}

/**
 * Ends a batch at once. Its pages stay as they are. A batch that is not running gets a short run,
 * which sends its callback.
 * @throws DomainError NOT_FOUND, CONFLICT, UNAVAILABLE
 */
export async function cancelBatch(caller: RequestCaller, deps: BatchCommandPorts, batchId: string) {
  const states: BatchStatus[] = ['running', 'paused', 'waiting'];
  const command = { batchId, what: 'be cancelled', states };
  const batch = await findInStatus(caller, deps, command);
  const site = await deps.sites.find(batch.organizationId, batch.siteId);
  const reportCancel = () =>
    site && batch.callbackUrl !== undefined
      ? deps.batchRuns.cancelBatch(batchToRun(batch, site))
      : deps.batchRuns.cancelRun(batchId);
  const markCancelled = (fromStatuses: BatchStatus[]) => {
    const finishedAt = new Date().toISOString();
    const changes = { status: 'cancelled', finishedAt, isUnreported: true } as const;
    return deps.batches.change(batchId, changes, fromStatuses);
  };
  // its run sends the callback; if the run is lost, the check of leases starts one for that
  if (await markCancelled(['running'])) await reportCancel().catch(ignoreUnavailable);
  else {
    await findInStatus(caller, deps, command);
    // without a run, the batch only changes once Temporal has started one that sends the callback
    await reportCancel();
    if (!(await markCancelled(states)))
      await findInStatus(caller, deps, { ...command, states: ['cancelled'] });
  }
  return readChangedBatch(deps, batch);
}

/**
 * Writes failed rows again, in the same batch. Rows with an invalid request stay failed.
 * @throws DomainError as `resumeBatch`
 */
export async function retryRows(
  caller: RequestCaller,
  deps: BatchCommandPorts,
  { batchId, rows }: SelectedRows,
) {
  const command = { batchId, what: 'retry rows', states: uncancelledStatuses };
  const batch = await findInStatus(caller, deps, command);
  const site = await findSiteToRun(caller, deps, batch);
  const moveFailedRows = () =>
    moveRows(
      deps,
      { batchId, ...withoutUndefined({ rows }) },
      {
        from: ['failed'],
        to: 'waiting',
        // once the batch has a result, the pages of repaired rows are versions of it
        ...(batch.shown !== undefined && {
          repair: { by: taskCreator(caller), at: new Date().toISOString() },
        }),
        what: 'be retried',
        why: 'no row has failed, or the failed rows have invalid requests',
      },
    );
  await changeAndRun(caller, deps, { command, batch, site, change: moveFailedRows });
  return readChangedBatch(deps, batch);
}

/**
 * Excludes rows that are neither committed nor published. @throws DomainError NOT_FOUND, CONFLICT
 */
export async function skipRows(
  caller: RequestCaller,
  deps: BatchCommandPorts,
  selectedRows: Required<SelectedRows>,
) {
  const batch = await findBatch(caller, deps, selectedRows.batchId);
  await moveRows(deps, selectedRows, {
    from: ['waiting', 'written', 'held', 'failed'],
    to: 'skipped',
    what: 'be skipped',
    why: 'all rows are published or committed',
  });
  return readChangedBatch(deps, batch);
}

/**
 * Approves held rows. Without `rows`, approves all held rows, and the rows after the canary: the
 * first rows, which people check before the rest. Puts nothing live: the batch must be published.
 * @throws DomainError as `resumeBatch`
 */
export async function approveRows(
  caller: RequestCaller,
  deps: BatchCommandPorts,
  { batchId, rows }: SelectedRows,
) {
  const command = { batchId, what: 'approve rows', states: uncancelledStatuses };
  const batch = await findInStatus(caller, deps, command);
  const site = await findSiteToRun(caller, deps, batch);
  const { canary, canaryApproved, status } = batch;
  const hasCanary = rows === undefined && canary !== undefined && !canaryApproved;
  // nobody has seen a canary that is still being written
  const isCanary = hasCanary && status === 'waiting';
  const why = hasCanary
    ? 'no row is on hold, and the canary is not written yet'
    : 'no row is on hold';
  const approveHeldRows = async () => {
    if (isCanary) {
      await deps.batches.move(batchId, { from: ['held'], to: 'written' });
      await deps.batches.change(batchId, { canaryApproved: true, publish: false });
    } else {
      await moveRows(
        deps,
        { batchId, ...withoutUndefined({ rows }) },
        { from: ['held'], to: 'written', what: 'be approved', why },
      );
      await deps.batches.change(batchId, { publish: false });
    }
  };
  const changedBatch = { ...batch, publish: false };
  await changeAndRun(caller, deps, { command, batch: changedBatch, site, change: approveHeldRows });
  return readChangedBatch(deps, batch);
}

const uncancelledStatuses: BatchStatus[] = ['running', 'paused', 'waiting', 'completed', 'failed'];

/** A command on a batch. `what`: for errors, `be paused`. `states`: when the command is allowed. */
interface BatchCommand {
  batchId: string;
  what: string;
  states: BatchStatus[];
}

export async function findInStatus(
  caller: RequestCaller,
  deps: NeededPorts<'batches'>,
  { batchId, what, states }: BatchCommand,
): Promise<Batch> {
  const batch = await findBatch(caller, deps, batchId);
  if (states.includes(batch.status)) return batch;
  throw commandConflict(what, batch);
}

export const commandConflict = (
  command: string,
  { status, isPublishing }: Pick<Batch, 'status' | 'isPublishing'>,
) =>
  batchConflict(
    `The batch can't ${command}: ${isPublishing ? 'it is being published' : statusTexts[status]}`,
  );

/** Changes a batch if it is still in one of the command's states. @throws DomainError CONFLICT */
export async function changeInStatus(
  caller: RequestCaller,
  deps: NeededPorts<'batches'>,
  { batchId, what, states }: BatchCommand,
  changes: BatchChanges,
): Promise<void> {
  if (await deps.batches.change(batchId, changes, states)) return;
  throw commandConflict(what, await findBatch(caller, deps, batchId));
}

interface RowMove {
  from: RowState[];
  to: RowState;
  repair?: RowRepair;
  what: string;
  /** Why no row can be moved, for the error. */
  why: string;
}

/**
 * Moves rows to another state.
 * @throws DomainError CONFLICT if one of the rows is in another state than `from`; then none is
 *   moved
 */
async function moveRows(
  { batches }: NeededPorts<'batches'>,
  { batchId, rows }: SelectedRows,
  { what, why, ...move }: RowMove,
): Promise<void> {
  const rowStates = rows && (await readRowStates(batches, batchId, rows));
  for (const number of rows ?? []) {
    const state = rowStates?.get(number);
    if (state === undefined) throw batchConflict(`Rows can't ${what}: there is no row ${number}`);
    if (!move.from.includes(state))
      throw batchConflict(`Rows can't ${what}: row ${number} is ${state}`);
  }
  const movedCount = await batches.move(batchId, { ...move, ...(rows && { numbers: rows }) });
  if (movedCount === 0) throw batchConflict(`Rows can't ${what}: ${why}`);
}

export const batchConflict = (message: string) => new DomainError('CONFLICT', message);

const ROWS_AT_ONCE = 500;

/** The states of rows, by their numbers. */
async function readRowStates(
  batches: NeededPorts<'batches'>['batches'],
  batchId: string,
  numbers: number[],
): Promise<Map<number, RowState>> {
  const statesByNumber = new Map<number, RowState>();
  const lastNumber = Math.max(...numbers);
  for (let afterNumber = Math.min(...numbers) - 1; afterNumber < lastNumber;) {
    const rows = await batches.rows(batchId, { after: afterNumber, limit: ROWS_AT_ONCE });
    for (const { number, state } of rows) statesByNumber.set(number, state);
    afterNumber = rows.at(-1)?.number ?? lastNumber;
  }
  return statesByNumber;
}

/**
 * The site of a batch that is to run.
 * @throws DomainError TOKENS_USED_UP, NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
export async function findSiteToRun(
  caller: RequestCaller,
  deps: NeededPorts<'tokenLimits' | 'sites'>,
  { siteId, model }: Batch,
): Promise<SiteWithRepository> {
  const refusal =
    model === undefined ? undefined : await deps.tokenLimits.refusal(caller.organizationId);
  if (refusal !== undefined) throw new DomainError('TOKENS_USED_UP', refusal);
  return findCallerSite(caller, deps, siteId);
}

/** A change of a batch after which it runs again. */
interface BatchRerun {
  command: BatchCommand;
  batch: Batch;
  site: Site;
  /** Changes rows, or the batch. */
  change: () => Promise<void>;
  /** Whether another person approved its pages, if the site needs that. */
  isApproved?: boolean;
}

/** Changes a batch and runs it. A paused batch is changed, but not run. */
const changeAndRun = (
  caller: RequestCaller,
  deps: NeededPorts<'batches' | 'batchRuns'>,
  rerun: BatchRerun,
) => (rerun.batch.status === 'paused' ? rerun.change() : changeAndStart(caller, deps, rerun));

/**
 * Changes a batch and runs it. If the organization has no permit left, changes nothing and throws
 * TOO_MANY_IN_FLIGHT. If the start fails, pauses the batch, so that people can resume it. A run
 * that is publishing finds the changed rows at its end. If the site needs approvals, a run only
 * publishes what was approved: other runs leave their pages for the next publish.
 */
export async function changeAndStart(
  caller: RequestCaller,
  deps: NeededPorts<'batches' | 'batchRuns'>,
  { command, batch: requestedBatch, site, change, isApproved }: BatchRerun,
): Promise<void> {
  const { batches, batchRuns } = deps;
  const mayPublish = site.publishApproval === undefined || isApproved === true;
  const batch = mayPublish ? requestedBatch : { ...requestedBatch, publish: false };
  const { batchId, status } = batch;
  if (!mayPublish && batch.isPublishing) throw commandConflict(command.what, batch);
  const releasePermit = await batchRuns.acquirePermit(batch);
  try {
    await change();
    const runChanges = { status: 'running', ...(!mayPublish && { publish: false }) } as const;
    if (!(await batches.change(batchId, runChanges, command.states)))
      await findInStatus(caller, deps, {
        ...command,
        states: command.states.filter((candidate) => candidate === 'running'),
      });
  } catch (error) {
    await releasePermit();
    throw error;
  }
  try {
    await batchRuns.run(batchToRun(batch, site));
  } catch (error) {
    const isEnded = status !== 'running' || hasErrorCode(error, 'TOO_MANY_IN_FLIGHT');
    if (isEnded) await batches.change(batchId, { status: 'paused' }, ['running']);
    throw error;
  }
}

export const readChangedBatch = async (
  deps: BatchCommandPorts,
  { organizationId, batchId }: Batch,
): Promise<BatchView> => viewBatch(deps, await deps.batches.find(organizationId, batchId));
