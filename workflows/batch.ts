import {
  CancellationScope,
  continueAsNew,
  proxySinks,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { type BatchOutcome, type BatchInput, isBatchOver } from '../src/contract/batches/batch.ts';
import type { EndpointFlag } from '../src/contract/events.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { TaskSinks } from '../src/contract/metrics.ts';
import type { FailureKind } from '../src/contract/task.ts';
import { gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import { showAndPublish } from './batchPublish.ts';
import { type BatchRun, planBatch, generateRows } from './batchRows.ts';
import { deliverCallback } from './deliverCallback.ts';
import { createDetails } from './currentDetails.ts';
import { batchSubject, createNotifier, type EventNotifier } from './eventNotifier.ts';
import { failureKindOfError } from './failureKinds.ts';
import { clientMessage, settle } from './failures.ts';
import { cancelBatchSignal, pauseBatchSignal, resumeBatchSignal } from './taskMessages.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

const { tasks } = proxySinks<TaskSinks>();

/**
 * The outcome of one run of a batch's work.
 *
 * - `idle`: the batch is paused, waits for an approval or is over, and its callback is sent.
 * - `unreported`: the same, but the batch ended without a run, so its callback is still to be sent.
 * - `historyFull`: rows are left for a run with a new history.
 * - `interrupted`: somebody paused or cancelled the batch before everything was published.
 * - `finished`: every row that may be written is in the preview, and published if requested.
 * - `failed`: an activity for the whole batch failed. A row that fails does not end the work.
 */
type WorkOutcome =
  | { state: 'idle' | 'unreported' | 'historyFull' | 'interrupted' | 'finished' }
  | { state: 'failed'; error: unknown };

/**
 * Creates the pages of a batch: a table whose rows each become a page. The database has the rows
 * and their states, so a run continues where the last one stopped: after a pause, an approval, a
 * retry, or with a new history. The API sends it the signals resume, pause and cancel.
 *
 *     planning -> writing -> showing -> publishing -> ending
 *
 * For example, 120 rows to publish are planned by one activity, and written in windows of 50, 50
 * and 20. Each window is committed while the next one is written. One preview shows all rows, and
 * one merge publishes them.
 * @param batch `batch.taskId` is the id of the batch and of the workflow
 * @returns null if there was nothing to do
 */
export async function batchWorkflow(batch: BatchInput): Promise<BatchOutcome | null> {
  const details = createDetails();
  const notifier = createNotifier(batch);
  const beginRun = (): BatchRun => ({
    batch,
    task: taskRefOf(batch),
    details,
    notifier,
    scope: new CancellationScope(),
  });
  let batchRun = beginRun();
  let hasMore: boolean;
  let batchEnd: BatchOutcome | null = null;
  let failureKind: FailureKind | undefined;
  setHandler(resumeBatchSignal, () => void (hasMore = true));
  setHandler(pauseBatchSignal, () => void (batchRun.interruption ??= 'pause'));
  setHandler(cancelBatchSignal, () => {
    batchRun.interruption = 'cancel';
    batchRun.scope.cancel();
  });
  do {
    hasMore = false;
    const currentRun = batchRun;
    const outcome = await runStates(currentRun);
    // signals that come from here on are for the next round
    batchRun = beginRun();
    if (outcome.state === 'historyFull') return continueAsNew<typeof batchWorkflow>(batch);
    failureKind = undefined;
    if (outcome.state !== 'idle') {
      const storedEnd = await storeEnd(currentRun, outcome);
      if (storedEnd.end) await notifyBatchEnd(batch, storedEnd.end, notifier);
      if (storedEnd.end && isBatchOver(storedEnd.end.status))
        await sendBatchCallback(batch, storedEnd.end, details);
      failureKind = storedEnd.failureKind;
      hasMore ||= storedEnd.end === null;
      batchEnd = storedEnd.end ?? batchEnd;
    }
  } while (hasMore);
  tasks.ended({ type: 'batch', outcome: failureKind ?? 'completed' });
  return batchEnd;
}

/** Runs the states from planning to publishing. A cancel ends each of them except publishing. */
async function runStates(batchRun: BatchRun): Promise<WorkOutcome> {
  const settledWork = await settle(
    batchRun.scope.run(async (): Promise<WorkOutcome> => {
      const plan = await planBatch(batchRun);
      batchRun.notifier.learn(plan);
      if (plan.status !== 'running') return { state: plan.isUnreported ? 'unreported' : 'idle' };
      if ((await generateRows(batchRun, plan)) === 'historyFull') return { state: 'historyFull' };
      return { state: await showAndPublish(batchRun, plan) };
    }),
  );
  if (settledWork.ok && settledWork.value.state === 'historyFull') return settledWork.value;
  if (isCancelled(batchRun) && !(settledWork.ok && settledWork.value.state === 'finished'))
    return { state: 'interrupted' };
  return settledWork.ok ? settledWork.value : { state: 'failed', error: settledWork.error };
}

/** Whether somebody cancelled the batch, or an operator its workflow. */
const isCancelled = ({ interruption }: BatchRun) =>
  interruption === 'cancel' || CancellationScope.current().consideredCancelled;

/** What `storeEnd` stored. `end` is null if the batch got more work meanwhile. */
interface StoredEnd {
  end: BatchOutcome | null;
  failureKind?: FailureKind;
}

/** Stores the outcome of a run in the database. A cancel does not stop it. */
const storeEnd = (batchRun: BatchRun, outcome: WorkOutcome): Promise<StoredEnd> => {
  const { batch, task, details } = batchRun;
  const endStatus = reachedStatus(batchRun, outcome);
  const errorMessage = outcome.state === 'failed' ? clientMessage(outcome.error) : undefined;
  return CancellationScope.nonCancellable(async () => {
    const title = `Store the outcome of the batch for ${siteLabel(batch)}`;
    const argument = { task, status: endStatus, ...withoutUndefined({ errorMessage }) };
    const stored = await runOnPreferredWorker(batch, gitActivities.completeBatch, title, argument);
    const batchEnd = stored && takeOutcome(stored, batchRun.notifier);
    details.set('batch', errorMessage ?? batchEnd?.status ?? 'continues with more rows');
    const failureKind = failureKindOf(batchEnd, outcome);
    if (failureKind)
      upsertSearchAttributes([{ key: attributeKeys.failureKind, value: failureKind }]);
    return { end: batchEnd, ...withoutUndefined({ failureKind }) };
  });
};

/** The status to store. `paused` means that the batch keeps its status in the database. */
function reachedStatus(batchRun: BatchRun, { state }: WorkOutcome): BatchOutcome['status'] {
  if (state === 'finished') return 'completed';
  if (state === 'failed') return 'failed';
  return isCancelled(batchRun) ? 'cancelled' : 'paused';
}

function failureKindOf(end: BatchOutcome | null, outcome: WorkOutcome): FailureKind | undefined {
  if (end?.status === 'cancelled') return 'cancelled';
  if (end?.status !== 'failed') return undefined;
  // without an error of the whole batch, it is the rows that failed
  return outcome.state === 'failed' ? failureKindOfError(outcome.error) : 'input';
}

/** The outcome for the callback, without what only the notifier uses. */
function takeOutcome(
  { hasEndpoints, ...outcome }: BatchOutcome & EndpointFlag,
  notifier: EventNotifier,
): BatchOutcome {
  notifier.learn(withoutUndefined({ hasEndpoints }));
  return outcome;
}

/** Starts the event of a batch that is over, or waits for an approval. */
async function notifyBatchEnd(
  batch: BatchInput,
  { status, rows, finishedAt }: BatchOutcome,
  notifier: EventNotifier,
): Promise<void> {
  const data = { ...batchSubject(batch), rows };
  // a batch that is resumed ends again
  const eventId = `${batch.taskId}-${status}-${Date.parse(finishedAt)}`;
  if (status === 'waiting') await notifier.notify({ type: 'batch.waiting', eventId, data });
  if (status === 'completed' || status === 'failed' || status === 'cancelled')
    await notifier.notify({ type: 'batch.completed', eventId, data: { ...data, status } });
}

/** Sends the callback. An operator's cancel does not stop it. */
const sendBatchCallback = async (
  batch: BatchInput,
  finished: BatchOutcome,
  details: BatchRun['details'],
) => {
  const { callbackUrl: url } = batch;
  if (url === undefined) return;
  await CancellationScope.nonCancellable(() =>
    deliverCallback(batch, { url, finished }, (state) => details.set('callback', state)),
  );
};
