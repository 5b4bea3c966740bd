import {
  ApplicationFailure,
  CancellationScope,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import { type Ended, memoOf } from '../src/contract/ended.ts';
import type { FinishedView, TaskInput } from '../src/contract/task.ts';
import { deliver } from './callback.ts';
import { attempt, CANCELLED, messageOf } from './failures.ts';
import { generatePages } from './generatePages.ts';
import { cancelUpdate, endedQuery, statusQuery } from './messages.ts';
import { WORK_LIMIT } from './policies.ts';
import { createProgress, type Progress } from './progress.ts';
import { runPrompt } from './prompt.ts';
import { publishResult } from './publishResult.ts';
import { deployAndPublish } from './deployAndPublish.ts';
import { resultOf, type WorkResult } from './result.ts';

/**
 * A task from its request to its callback: work, commit, preview, publish, [status decided], callback.
 * @param task the request; `task.taskId` is the workflow's id
 * @returns the finished view with the events. The memo has the same, or a part of it
 * @throws ApplicationFailure `TaskFailed` with the errorMessage, after the callback, so that operators find failed
 * tasks by their status. Its details have what a completed task returns
 */
export async function taskWorkflow(task: TaskInput): Promise<Ended> {
  const progress = createProgress(task);
  const work = new CancellationScope({ cancellable: true, timeout: WORK_LIMIT });
  setHandler(statusQuery, progress.view);
  setHandler(endedQuery, progress.ended);
  setHandler(cancelUpdate, () => cancel(work, progress), { validator: () => refuseIfTooLate(progress) });
  const finished = await finish(task, work, progress);
  const ended = await CancellationScope.nonCancellable(async () => {
    const decided = decide(finished, progress);
    if (task.callbackUrl !== undefined) await deliver(task, { url: task.callbackUrl, finished }, progress.callback);
    return decided;
  });
  if (ended.status === 'failed') throw ApplicationFailure.nonRetryable(ended.errorMessage, 'TaskFailed', ended);
  return ended;
}

function cancel(work: CancellationScope, progress: Progress) {
  progress.cancelled();
  work.cancel();
}

function refuseIfTooLate(progress: Progress) {
  const state = progress.state();
  if (state !== 'working') throw ApplicationFailure.nonRetryable(`Task is ${state}`, 'CONFLICT');
}

async function finish(task: TaskInput, work: CancellationScope, progress: Progress): Promise<FinishedView> {
  const result = await attempt(work.run(() => doWork(task, progress)));
  const finishedAt = new Date().toISOString();
  // once a cancel is confirmed, the task ends as cancelled, even if its last step was faster
  if (progress.isCancelled()) return { status: 'failed', errorMessage: CANCELLED, finishedAt };
  if (result.ok) return { status: 'completed', ...result.value, finishedAt };
  return { status: 'failed', errorMessage: messageOf(result.error), finishedAt };
}

async function doWork(task: TaskInput, progress: Progress) {
  const done = await workOf(task, progress);
  const deployed = await deployAndPublish(task, done, progress);
  const result = resultOf(task, done);
  return { ...deployed, ...defined({ result }) };
}

function workOf(task: TaskInput, progress: Progress): Promise<WorkResult> {
  const { work } = task;
  switch (work.type) {
    case 'prompt':
      return runPrompt(task, work, progress);
    case 'generate_pages':
      return generatePages(task, work, progress);
    case 'publish':
      return publishResult(task, work, progress);
  }
}

/** From here on the memo decides what clients see, whatever happens to the workflow. */
function decide(finished: FinishedView, progress: Progress): Ended {
  const ended = progress.finish(finished);
  upsertMemo(memoOf(ended, workflowInfo().memo));
  upsertSearchAttributes({ TaskStatus: [finished.status] });
  return ended;
}
