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
import { batches, refOf, siteOf } from './activities.ts';
import { atHome } from './atHome.ts';
import { deliver } from './callback.ts';
import { createDetails } from './currentDetails.ts';
import { kindOf } from './failureKinds.ts';
import { attempt, messageOf } from './failures.ts';
import { makePages, type Run } from './makePages.ts';
import { stopSignal, wakeSignal } from './messages.ts';

const { tasks } = proxySinks<TaskSinks>();

/**
 * A run of a batch: it plans the rows, writes and commits them, shows all, publishes, and calls
 * back. The database has the batch and the states of its rows, so a run begins where the last one
 * stopped: after a pause, an approval or a retry, and with a new history.
 * @param batch `batch.taskId` is the batch's id, and the workflow's
 * @returns null if there was nothing to do
 */
export async function batchWorkflow(batch: BatchInput): Promise<BatchEnd | null> {
  const details = createDetails();
  const begin = (): Run => ({ batch, task: refOf(batch), details, work: new CancellationScope() });
  let run = begin();
  let isWoken: boolean;
  let end: BatchEnd | null = null;
  let outcome: FailureKind | undefined;
  setHandler(wakeSignal, () => void (isWoken = true));
  setHandler(stopSignal, (how) => {
    run.stopped = how;
    if (how !== 'pause') run.work.cancel();
  });
  do {
    isWoken = false;
    const ended = await runOnce(run);
    ({ outcome } = run);
    run = begin();
    if (ended === 'longHistory') return continueAsNew<typeof batchWorkflow>(batch);
    if (ended === 'more') isWoken = true;
    else end = ended ?? end;
    if (ended && ended !== 'more' && isOver(ended.status)) await callBack(batch, ended, details);
  } while (isWoken);
  tasks.ended({ type: 'batch', outcome: outcome ?? 'completed' });
  return end;
}

/** @returns null if the batch is not to be run; `more` if it got more to do meanwhile */
async function runOnce(run: Run): Promise<BatchEnd | 'longHistory' | 'more' | null> {
  const { batch, task, details } = run;
  const made = await attempt(run.work.run(() => makePages(run)));
  if (made.ok && made.value === 'longHistory') return made.value;
  // an operator cancels in Temporal, people in the batch
  const isCancelled = run.stopped === 'cancel' || CancellationScope.current().consideredCancelled;
  const isToTell = run.stopped === 'tell';
  if (made.ok && made.value === 'nothing' && !isCancelled && !isToTell) return null;
  const isFailed = !made.ok && !isCancelled && !isToTell;
  const errorMessage = isFailed ? messageOf(made.error) : undefined;
  const isWhole = made.ok && made.value === 'made';
  const stopped = isCancelled ? 'cancelled' : 'paused';
  const status: BatchEnd['status'] = isWhole ? 'completed' : isFailed ? 'failed' : stopped;
  return CancellationScope.nonCancellable(async () => {
    const title = `Note the end of the batch of ${siteOf(batch)}`;
    const argument = { task, status, ...defined({ errorMessage }) };
    const end = await atHome(batch, batches.endBatch, title, argument);
    details.set('batch', errorMessage ?? end?.status ?? 'has more to do');
    if (end?.status === 'cancelled') run.outcome = 'cancelled';
    // without an error, it is the rows that failed
    if (end?.status === 'failed') run.outcome = made.ok ? 'input' : kindOf(made.error);
    if (run.outcome) upsertSearchAttributes({ FailureKind: [run.outcome] });
    return end ?? 'more';
  });
}

/** An operator's cancel does not stop it. */
const callBack = async (batch: BatchInput, finished: BatchEnd, details: Run['details']) => {
  const { callbackUrl: url } = batch;
  if (url === undefined) return;
  await CancellationScope.nonCancellable(() =>
    deliver(batch, { url, finished }, (state) => details.set('callback', state)),
  );
};
