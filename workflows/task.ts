import {
  ApplicationFailure,
  CancellationScope,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import { type Ended, memoOf, returned, type ReturnedEnd } from '../src/contract/ended.ts';
import type { FailureKind, FinishedView, TaskInput } from '../src/contract/task.ts';
import { deliver } from './callback.ts';
import { kindOf } from './failureKinds.ts';
import { CANCELLED, messageOf, settle } from './failures.ts';
import { generatePages } from './generatePages.ts';
import { cancelUpdate, endedQuery, statusQuery } from './messages.ts';
import { dropNotes, settleDropped } from './dropNotes.ts';
import { createProgress, type Progress } from './progress.ts';
import { runPrompt } from './prompt.ts';
import { createQuestions, type Questions } from './questions.ts';
import { publishResult } from './publishResult.ts';
import { restoreDeployment } from './restoreDeployment.ts';
import { deployAndPublish } from './deployAndPublish.ts';
import { createWithoutPlace, type WithoutPlace } from './withoutPlace.ts';
import { createWorkLimit } from './workLimit.ts';
import { resultOf, type WorkResult } from './workResult.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

/**
 * A task from its request to its callback: work, commit, preview, publish, [status decided],
 * callback.
 * @param task the request; `task.taskId` is the workflow's id
 * @returns the finished view with the events. The memo has the same, or a part of it
 * @throws ApplicationFailure `TaskFailed` with the errorMessage, after the callback, so that
 *   operators find failed tasks by their status. Its details have what a completed task returns
 */
export async function taskWorkflow(task: TaskInput): Promise<ReturnedEnd> {
  const progress = createProgress(task);
  const work = new CancellationScope();
  const limit = createWorkLimit(task, work);
  const withoutPlace = createWithoutPlace(task, limit);
  const waits = { withoutPlace, questions: createQuestions(progress) };
  setHandler(statusQuery, progress.view);
  setHandler(endedQuery, progress.ended);
  setHandler(cancelUpdate, () => cancel(work, progress), {
    validator: () => refuseIfTooLate(progress),
  });
  const { finished, kind } = await finish(
    work.run(() => limit.within(() => doWork(task, progress, waits))),
    progress,
  );
  const ended = await CancellationScope.nonCancellable(async () => {
    const decided = decide(finished, progress, kind);
    if (task.callbackUrl !== undefined)
      await deliver(task, { url: task.callbackUrl, finished }, progress.callback);
    return decided;
  });
  if (ended.status === 'failed')
    throw ApplicationFailure.nonRetryable(ended.errorMessage, 'TaskFailed', ended);
  return returned(ended);
}

function cancel(work: CancellationScope, progress: Progress) {
  progress.cancelled();
  work.cancel();
}

function refuseIfTooLate(progress: Progress) {
  const state = progress.state();
  if (state !== 'working') throw ApplicationFailure.nonRetryable(`Task is ${state}`, 'CONFLICT');
}

interface End {
  finished: FinishedView;
  /** Of a failure. */
  kind?: FailureKind;
}

async function finish(work: ReturnType<typeof doWork>, progress: Progress): Promise<End> {
  const result = await settle(work);
  const finishedAt = new Date().toISOString();
  const failed = (errorMessage: string, kind: FailureKind): End => {
    const spent = progress.spending.usage();
    const usage = spent && spent.turns > 0 ? spent : undefined;
    return {
      finished: { status: 'failed', errorMessage, ...defined({ usage }), finishedAt },
      kind,
    };
  };
  // once a cancel is confirmed, the task ends as cancelled, even if its last step was faster
  if (progress.isCancelled()) return failed(CANCELLED, 'cancelled');
  if (!result.ok) return failed(messageOf(result.error), kindOf(result.error));
  return { finished: { status: 'completed', ...result.value, finishedAt } };
}

/** How a task waits for people. */
interface Waits {
  withoutPlace: WithoutPlace;
  questions: Questions;
}

async function doWork(task: TaskInput, progress: Progress, waits: Waits) {
  const { withoutPlace } = waits;
  const done = await workOf(task, progress, waits);
  const deployed = await deployAndPublish(task, done, { progress, withoutPlace });
  if (!progress.isCancelled())
    await CancellationScope.nonCancellable(() => settleDropped(task, done));
  const result = resultOf(task, done);
  return { ...deployed, ...defined({ result }) };
}

function workOf(task: TaskInput, progress: Progress, waits: Waits): Promise<WorkResult> {
  const { work } = task;
  const { withoutPlace, questions } = waits;
  switch (work.type) {
    case 'prompt':
      return runPrompt(task, work, {
        progress,
        ask: (asked) => withoutPlace(() => questions.ask(asked)),
      });
    case 'generate_pages':
      return generatePages(task, work, { progress, ...waits });
    case 'publish':
      return publishResult(task, work, progress);
    case 'drop':
      return dropNotes(task, work, progress);
    case 'restore':
      return restoreDeployment(task, work, progress);
  }
}

/** From here on the memo decides what clients see, whatever happens to the workflow. */
function decide(finished: FinishedView, progress: Progress, kind?: FailureKind): Ended {
  const ended = progress.finish(finished, kind);
  upsertMemo(memoOf(ended, workflowInfo().memo));
  upsertSearchAttributes([
    { key: attributeKeys.taskStatus, value: finished.status },
    ...(kind ? [{ key: attributeKeys.failureKind, value: kind }] : []),
  ]);
  return ended;
}
