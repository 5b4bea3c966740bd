import type { Batch, BatchStatus, RowState } from '../../contract/batch.ts';
import { defined } from '../../contract/defined.ts';
import type { Site } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Needs } from '../ports.ts';
import { findSite } from '../start.ts';
import { type BatchView, findBatch, type ReadBatchDeps, viewOf } from './read.ts';
import { toRun } from './run.ts';

export type CommandDeps = ReadBatchDeps & Needs<'batchRuns' | 'tokenLimits'>;

/** A batch, and which of its rows a command is for. */
interface Some {
  batchId: string;
  /** Absent: all that it may be for. */
  rows?: number[];
}

const words: Record<BatchStatus, string> = {
  running: 'it is running',
  paused: 'it is paused',
  waiting: 'it waits for an approval of the rows after its canary',
  completed: 'it is completed',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
};

/** Stops a batch after the pages that are being made. @throws DomainError NOT_FOUND, CONFLICT */
export async function pauseBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const batch = await findIn(caller, deps, { batchId, what: 'be paused', states: ['running'] });
  await deps.batches.change(batchId, { status: 'paused' });
  await deps.batchRuns.stop(batchId, 'pause');
  return viewAgain(deps, batch);
}

/**
 * Goes on with a batch that is paused or has failed.
 * @throws DomainError NOT_FOUND, CONFLICT, TOKENS_USED_UP, TOO_MANY_IN_FLIGHT, START_FAILED
 */
export async function resumeBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const batch = await findIn(caller, deps, {
    batchId,
    what: 'be resumed',
    states: ['paused', 'failed'],
  });
  await runAgain(deps, batch, await siteToRun(caller, deps, batch));
  return viewAgain(deps, batch);
}

/** Ends a batch at once. Its pages stay as they are. @throws DomainError NOT_FOUND, CONFLICT */
export async function cancelBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const batch = await findIn(caller, deps, {
    batchId,
    what: 'be cancelled',
    states: ['running', 'paused', 'waiting'],
  });
  await deps.batches.change(batchId, {
    status: 'cancelled',
    finishedAt: new Date().toISOString(),
  });
  await deps.batchRuns.stop(batchId, 'cancel');
  return viewAgain(deps, batch);
}

/**
 * Makes failed rows again, in the same batch. Rows with a wrong request stay failed.
 * @throws DomainError as `resumeBatch`
 */
export async function retryRows(caller: Caller, deps: CommandDeps, { batchId, rows }: Some) {
  const batch = await findIn(caller, deps, { batchId, what: 'retry rows', states: notCancelled });
  const site = await siteToRun(caller, deps, batch);
  await moveRows(
    deps,
    { batchId, ...defined({ rows }) },
    {
      from: ['failed'],
      to: 'waiting',
      what: 'be retried',
      why: 'none has failed, or the requests of those that did are wrong',
    },
  );
  if (batch.status !== 'paused') await runAgain(deps, batch, site);
  return viewAgain(deps, batch);
}

/** Takes rows out that are in no commit to be published. @throws DomainError NOT_FOUND, CONFLICT */
export async function skipRows(caller: Caller, deps: CommandDeps, some: Required<Some>) {
  const batch = await findBatch(caller, deps, some.batchId);
  await moveRows(deps, some, {
    from: ['waiting', 'written', 'held', 'failed'],
    to: 'skipped',
    what: 'be skipped',
    why: 'all are published or committed',
  });
  return viewAgain(deps, batch);
}

/**
 * Approves held rows; without `rows`, all of them, and the rows after the canary.
 * @throws DomainError as `resumeBatch`
 */
export async function approveRows(caller: Caller, deps: CommandDeps, { batchId, rows }: Some) {
  const batch = await findIn(caller, deps, { batchId, what: 'approve rows', states: notCancelled });
  const site = await siteToRun(caller, deps, batch);
  const isCanary = rows === undefined && batch.canary !== undefined && !batch.canaryApproved;
  if (isCanary) {
    await deps.batches.move(batchId, { from: ['held'], to: 'written' });
    await deps.batches.change(batchId, { canaryApproved: true });
  } else
    await moveRows(
      deps,
      { batchId, ...defined({ rows }) },
      { from: ['held'], to: 'written', what: 'be approved', why: 'none is held' },
    );
  if (batch.status !== 'paused') await runAgain(deps, batch, site);
  return viewAgain(deps, batch);
}

const notCancelled: BatchStatus[] = ['running', 'paused', 'waiting', 'completed', 'failed'];

async function findIn(
  caller: Caller,
  deps: CommandDeps,
  { batchId, what, states: allowed }: { batchId: string; what: string; states: BatchStatus[] },
): Promise<Batch> {
  const batch = await findBatch(caller, deps, batchId);
  if (allowed.includes(batch.status)) return batch;
  throw conflict(`Batch can't ${what}: ${words[batch.status]}`);
}

interface Move {
  from: RowState[];
  to: RowState;
  what: string;
  /** Why no row can. */
  why: string;
}

/**
 * Moves rows to another state.
 * @throws DomainError CONFLICT if one of them is in no state to move from, before any is moved
 */
async function moveRows(
  { batches }: Needs<'batches'>,
  { batchId, rows }: Some,
  { from, to, what, why }: Move,
): Promise<void> {
  const states = rows && (await statesOf(batches, batchId, rows));
  for (const number of rows ?? []) {
    const state = states?.get(number);
    if (state === undefined) throw conflict(`Rows can't ${what}: there is no row ${number}`);
    if (!from.includes(state)) throw conflict(`Rows can't ${what}: row ${number} is ${state}`);
  }
  const moved = await batches.move(batchId, { from, to, ...(rows && { numbers: rows }) });
  if (moved === 0) throw conflict(`Rows can't ${what}: ${why}`);
}

const conflict = (message: string) => new DomainError('CONFLICT', message);

const ROWS_AT_ONCE = 500;

/** The states of rows, by their numbers. */
async function statesOf(
  batches: Needs<'batches'>['batches'],
  batchId: string,
  numbers: number[],
): Promise<Map<number, RowState>> {
  const found = new Map<number, RowState>();
  const last = Math.max(...numbers);
  for (let after = Math.min(...numbers) - 1; after < last;) {
    const rows = await batches.rows(batchId, { after, limit: ROWS_AT_ONCE });
    for (const { number, state } of rows) found.set(number, state);
    after = rows.at(-1)?.number ?? last;
  }
  return found;
}

/**
 * The site of a batch that is to run.
 * @throws DomainError TOKENS_USED_UP, NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
async function siteToRun(
  caller: Caller,
  deps: Needs<'tokenLimits' | 'sites'>,
  { siteId, model }: Batch,
): Promise<Site> {
  const refusal =
    model === undefined ? undefined : await deps.tokenLimits.refusal(caller.organizationId);
  if (refusal !== undefined) throw new DomainError('TOKENS_USED_UP', refusal);
  return findSite(caller, deps, siteId);
}

/**
 * Publishes the pages of a batch that was made without `publish`, and from now on those of its rows
 * that are made or approved later.
 * @throws DomainError as `resumeBatch`
 */
export async function publishBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const batch = await findIn(caller, deps, {
    batchId,
    what: 'be published',
    states: ['completed', 'waiting'],
  });
  const { committed } = await deps.batches.counts(batchId);
  if (committed === 0) throw conflict("Batch can't be published: no row is committed");
  const site = await siteToRun(caller, deps, batch);
  await deps.batches.change(batchId, { publish: true });
  await runAgain(deps, { ...batch, publish: true }, site);
  return viewAgain(deps, batch);
}

/** Runs a batch. If that fails, the batch is paused: resuming it tries again. */
async function runAgain(
  { batches, batchRuns }: Needs<'batches' | 'batchRuns'>,
  batch: Batch,
  site: Site,
): Promise<void> {
  const { batchId, status } = batch;
  await batches.change(batchId, { status: 'running' });
  try {
    await batchRuns.run(toRun(batch, site));
  } catch (error) {
    if (status !== 'running') await batches.change(batchId, { status: 'paused' });
    throw error;
  }
}

const viewAgain = async (
  deps: CommandDeps,
  { organizationId, batchId }: Batch,
): Promise<BatchView> => viewOf(deps, await deps.batches.find(organizationId, batchId));
