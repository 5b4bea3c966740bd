import {
  CancellationScope,
  continueAsNew,
  proxySinks,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { type BatchEnd, type BatchInput, isOver } from '../src/contract/batch.ts';
import { defined } from '../src/contract/defined.ts';
import type { TaskSinks } from '../src/contract/metrics.ts';
import type { FailureKind } from '../src/contract/task.ts';
import { gitSteps, refOf, siteOf } from './activities.ts';
import { atHome } from './atHome.ts';
import { showAndPublish } from './batchPublish.ts';
import { type BatchRun, planRows, writeRows } from './batchRows.ts';
import { deliver } from './callback.ts';
import { createDetails } from './currentDetails.ts';
import { kindOf } from './failureKinds.ts';
import { messageOf, settle } from './failures.ts';
import { cancelBatchSignal, pauseBatchSignal, resumeBatchSignal } from './messages.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

const { tasks } = proxySinks<TaskSinks>();

/**
 * How the work of a run came out.
 *
 * - `idle`: the batch is not to be worked on, and nobody waits to hear of its end.
 * - `unreported`: the same, but the batch ended without a run, so its callback is still to be sent.
 * - `historyFull`: rows are left for a run with a new history.
 * - `interrupted`: somebody paused or cancelled the batch before everything was published.
 * - `finished`: every row that may be made is shown, and published if that was asked for.
 * - `failed`: a step failed that concerns the whole batch. A row that fails does not end the work.
 */
type WorkOutcome =
  | { state: 'idle' | 'unreported' | 'historyFull' | 'interrupted' | 'finished' }
  | { state: 'failed'; error: unknown };

/**
 * Makes the pages of a batch. The database has the batch and the states of its rows, so a run goes
 * on where the last one stopped: after a pause, an approval, a retry, or with a new history. People
 * reach it by three signals: `resumeBatch`, `pauseBatch` and `cancelBatch`.
 *
 *     planning -> writing -> showing -> publishing -> ending
 *
 * For example, 120 rows to publish are planned by one step, written in windows of 50, 50 and 20,
 * each committed while the next one is written, shown in one preview, and published by one merge.
 * @param batch `batch.taskId` is the id of the batch and of the workflow
 * @returns null if there was nothing to do
 */
export async function batchWorkflow(batch: BatchInput): Promise<BatchEnd | null> {
  const details = createDetails();
  const beginRun = (): BatchRun => ({
    batch,
    task: refOf(batch),
    details,
    scope: new CancellationScope(),
  });
  let run = beginRun();
  let hasMore: boolean;
  let end: BatchEnd | null = null;
  let failureKind: FailureKind | undefined;
  setHandler(resumeBatchSignal, () => void (hasMore = true));
  setHandler(pauseBatchSignal, () => void (run.interruption ??= 'pause'));
  setHandler(cancelBatchSignal, () => {
    run.interruption = 'cancel';
    run.scope.cancel();
  });
  do {
    hasMore = false;
    const current = run;
    const outcome = await workOn(current);
    // signals that come from here on are for the next round
    run = beginRun();
    if (outcome.state === 'historyFull') return continueAsNew<typeof batchWorkflow>(batch);
    failureKind = undefined;
    if (outcome.state !== 'idle') {
      const stored = await storeEnd(current, outcome);
      if (stored.end && isOver(stored.end.status)) await callBack(batch, stored.end, details);
      failureKind = stored.failureKind;
      hasMore ||= stored.end === null;
      end = stored.end ?? end;
    }
  } while (hasMore);
  tasks.ended({ type: 'batch', outcome: failureKind ?? 'completed' });
  return end;
}

/** The states in turn. A cancel of the batch ends each of them but publishing. */
async function workOn(run: BatchRun): Promise<WorkOutcome> {
  const work = await settle(
    run.scope.run(async (): Promise<WorkOutcome> => {
      const plan = await planRows(run);
      if (plan.status !== 'running') return { state: plan.isUntold ? 'unreported' : 'idle' };
      if ((await writeRows(run, plan)) === 'historyFull') return { state: 'historyFull' };
      return { state: await showAndPublish(run, plan) };
    }),
  );
  if (work.ok && work.value.state === 'historyFull') return work.value;
  if (isCancelled(run) && !(work.ok && work.value.state === 'finished'))
    return { state: 'interrupted' };
  return work.ok ? work.value : { state: 'failed', error: work.error };
}

/** Whether somebody cancelled the batch, or an operator its workflow. */
const isCancelled = ({ interruption }: BatchRun) =>
  interruption === 'cancel' || CancellationScope.current().consideredCancelled;

/** An end in the database: null if the batch got more to do meanwhile. */
interface StoredEnd {
  end: BatchEnd | null;
  failureKind?: FailureKind;
}

/** Stores how a run ended. Neither people nor operators stop it. */
const storeEnd = (run: BatchRun, outcome: WorkOutcome): Promise<StoredEnd> => {
  const { batch, task, details } = run;
  const reached = reachedStatus(run, outcome);
  const errorMessage = outcome.state === 'failed' ? messageOf(outcome.error) : undefined;
  return CancellationScope.nonCancellable(async () => {
    const title = `Store the end of the batch of ${siteOf(batch)}`;
    const argument = { task, status: reached, ...defined({ errorMessage }) };
    const end = await atHome(batch, gitSteps.endBatch, title, argument);
    details.set('batch', errorMessage ?? end?.status ?? 'has more to do');
    const failureKind = failureKindOf(end, outcome);
    if (failureKind)
      upsertSearchAttributes([{ key: attributeKeys.failureKind, value: failureKind }]);
    return { end, ...defined({ failureKind }) };
  });
};

/** `paused`: the batch keeps the status that the database has. */
function reachedStatus(run: BatchRun, { state }: WorkOutcome): BatchEnd['status'] {
  if (state === 'finished') return 'completed';
  if (state === 'failed') return 'failed';
  return isCancelled(run) ? 'cancelled' : 'paused';
}

function failureKindOf(end: BatchEnd | null, outcome: WorkOutcome): FailureKind | undefined {
  if (end?.status === 'cancelled') return 'cancelled';
  if (end?.status !== 'failed') return undefined;
  // without an error of the whole batch, it is the rows that failed
  return outcome.state === 'failed' ? kindOf(outcome.error) : 'input';
}

/** Sends the callback. An operator's cancel does not stop it. */
const callBack = async (batch: BatchInput, finished: BatchEnd, details: BatchRun['details']) => {
  const { callbackUrl: url } = batch;
  if (url === undefined) return;
  await CancellationScope.nonCancellable(() =>
    deliver(batch, { url, finished }, (state) => details.set('callback', state)),
  );
};
