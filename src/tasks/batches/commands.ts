import type { Batch, BatchStatus, RowState } from '../../contract/batch.ts';
import type { BatchChanges } from '../../contract/batchStore.ts';
import { defined } from '../../contract/defined.ts';
import type { Site } from '../../contract/site.ts';
import { DomainError, hasCode, onCode } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Needs } from '../ports.ts';
import { findSite } from '../start.ts';
import { type BatchView, findBatch, type ReadBatchDeps, viewOf } from './read.ts';
import { toRun } from './run.ts';

export type CommandDeps = ReadBatchDeps & Needs<'batchRuns' | 'sites' | 'tokenLimits'>;

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
  const asked = { batchId, what: 'be paused', states: ['running' as const] };
  const batch = await findIn(caller, deps, asked);
  await changeIn(caller, deps, asked, { status: 'paused' });
  await deps.batchRuns.pauseRun(batchId).catch(readLater);
  return viewAgain(deps, batch);
}

/** The run of a batch that is stopped in the store finds out there, without a signal. */
const readLater = onCode(['UNAVAILABLE'], undefined);

/**
 * Goes on with a batch that is paused or has failed.
 * @throws DomainError NOT_FOUND, CONFLICT, TOKENS_USED_UP, TOO_MANY_IN_FLIGHT, START_FAILED
 */
export async function resumeBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const asked = { batchId, what: 'be resumed', states: ['paused' as const, 'failed' as const] };
  const batch = await findIn(caller, deps, asked);
  await runAgain(caller, deps, {
    asked,
    batch,
    site: await siteToRun(caller, deps, batch),
    change: () => Promise.resolve(),
  });
  return viewAgain(deps, batch);
}

/**
 * Ends a batch at once. Its pages stay as they are. A batch with no run gets one for its callback.
 * @throws DomainError NOT_FOUND, CONFLICT, UNAVAILABLE
 */
export async function cancelBatch(caller: Caller, deps: CommandDeps, batchId: string) {
  const states: BatchStatus[] = ['running', 'paused', 'waiting'];
  const asked = { batchId, what: 'be cancelled', states };
  const batch = await findIn(caller, deps, asked);
  const site = await deps.sites.find(batch.organizationId, batch.siteId);
  const tell = () =>
    site && batch.callbackUrl !== undefined
      ? deps.batchRuns.cancelBatch(toRun(batch, site))
      : deps.batchRuns.cancelRun(batchId);
  const cancel = (from: BatchStatus[]) => {
    const finishedAt = new Date().toISOString();
    const changes = { status: 'cancelled', finishedAt, isUntold: true } as const;
    return deps.batches.change(batchId, changes, from);
  };
  // its run tells the callback, or the check of leases has one do it
  if (await cancel(['running'])) await tell().catch(readLater);
  else {
    await findIn(caller, deps, asked);
    // with no run, the batch changes only once Temporal has one that calls back
    await tell();
    if (!(await cancel(states))) await findIn(caller, deps, { ...asked, states: ['cancelled'] });
  }
  return viewAgain(deps, batch);
}

/**
 * Makes failed rows again, in the same batch. Rows with a wrong request stay failed.
 * @throws DomainError as `resumeBatch`
 */
export async function retryRows(caller: Caller, deps: CommandDeps, { batchId, rows }: Some) {
  const asked = { batchId, what: 'retry rows', states: notCancelled };
  const batch = await findIn(caller, deps, asked);
  const site = await siteToRun(caller, deps, batch);
  const change = () =>
    moveRows(
      deps,
      { batchId, ...defined({ rows }) },
      {
        from: ['failed'],
        to: 'waiting',
        what: 'be retried',
        why: 'none has failed, or the requests of those that did are wrong',
      },
    );
  await changeAndRun(caller, deps, { asked, batch, site, change });
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
 * Approves held rows; without `rows`, all of them, and the rows after a canary that is made.
 * @throws DomainError as `resumeBatch`
 */
export async function approveRows(caller: Caller, deps: CommandDeps, { batchId, rows }: Some) {
  const asked = { batchId, what: 'approve rows', states: notCancelled };
  const batch = await findIn(caller, deps, asked);
  const site = await siteToRun(caller, deps, batch);
  const { canary, canaryApproved, status } = batch;
  const hasCanary = rows === undefined && canary !== undefined && !canaryApproved;
  // nobody has seen a canary that is still being made
  const isCanary = hasCanary && status === 'waiting';
  const why = hasCanary ? 'none is held, and the canary is not made yet' : 'none is held';
  const change = async () => {
    if (isCanary) {
      await deps.batches.move(batchId, { from: ['held'], to: 'written' });
      await deps.batches.change(batchId, { canaryApproved: true });
    } else
      await moveRows(
        deps,
        { batchId, ...defined({ rows }) },
        { from: ['held'], to: 'written', what: 'be approved', why },
      );
  };
  await changeAndRun(caller, deps, { asked, batch, site, change });
  return viewAgain(deps, batch);
}

const notCancelled: BatchStatus[] = ['running', 'paused', 'waiting', 'completed', 'failed'];

/** A command on a batch, and in which states it may be. */
interface Asked {
  batchId: string;
  what: string;
  states: BatchStatus[];
}

async function findIn(
  caller: Caller,
  deps: Needs<'batches'>,
  { batchId, what, states }: Asked,
): Promise<Batch> {
  const batch = await findBatch(caller, deps, batchId);
  if (states.includes(batch.status)) return batch;
  throw refused(what, batch);
}

const refused = (what: string, { status, isPublishing }: Batch) =>
  conflict(`Batch can't ${what}: ${isPublishing ? 'it is being published' : words[status]}`);

/** Changes a batch unless it has left the states meanwhile. @throws DomainError CONFLICT */
async function changeIn(
  caller: Caller,
  deps: Needs<'batches'>,
  { batchId, what, states }: Asked,
  changes: BatchChanges,
): Promise<void> {
  if (await deps.batches.change(batchId, changes, states)) return;
  throw refused(what, await findBatch(caller, deps, batchId));
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
  const states: BatchStatus[] = ['completed', 'waiting'];
  const asked = { batchId, what: 'be published', states };
  const batch = await findIn(caller, deps, asked);
  const { committed } = await deps.batches.counts(batchId);
  if (committed === 0) throw conflict("Batch can't be published: no row is committed");
  const site = await siteToRun(caller, deps, batch);
  const change = () => changeIn(caller, deps, asked, { publish: true });
  await runAgain(caller, deps, { asked, batch: { ...batch, publish: true }, site, change });
  return viewAgain(deps, batch);
}

/** What a batch gets to do. */
interface Again {
  asked: Asked;
  batch: Batch;
  site: Site;
  /** Changes rows, or the batch. */
  change: () => Promise<void>;
}

/** Changes a batch and runs it; one that is paused gets the change alone. */
const changeAndRun = (caller: Caller, deps: Needs<'batches' | 'batchRuns'>, again: Again) =>
  again.batch.status === 'paused' ? again.change() : runAgain(caller, deps, again);

/**
 * Changes a batch and runs it. Without a place in flight nothing is changed. If the start fails,
 * the batch is paused: resuming it tries again. A run that publishes looks for rows at its end.
 */
async function runAgain(
  caller: Caller,
  deps: Needs<'batches' | 'batchRuns'>,
  { asked, batch, site, change }: Again,
): Promise<void> {
  const { batches, batchRuns } = deps;
  const { batchId, status } = batch;
  const giveBack = await batchRuns.takePlace(batch);
  try {
    await change();
    if (!(await batches.change(batchId, { status: 'running' }, asked.states)))
      await findIn(caller, deps, {
        ...asked,
        states: asked.states.filter((one) => one === 'running'),
      });
  } catch (error) {
    await giveBack();
    throw error;
  }
  try {
    await batchRuns.run(toRun(batch, site));
  } catch (error) {
    const isEnded = status !== 'running' || hasCode(error, 'TOO_MANY_IN_FLIGHT');
    if (isEnded) await batches.change(batchId, { status: 'paused' }, ['running']);
    throw error;
  }
}

const viewAgain = async (
  deps: CommandDeps,
  { organizationId, batchId }: Batch,
): Promise<BatchView> => viewOf(deps, await deps.batches.find(organizationId, batchId));
