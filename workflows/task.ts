import {
  CancellationScope,
  ApplicationFailure,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { FinishedView, TaskInput, TaskOutput } from '../src/contract/task.ts';
import { callbacks, refOf, summary } from './activities.ts';
import { attempt, messageOf } from './failures.ts';
import { generatePages } from './generatePages.ts';
import { runPrompt } from './prompt.ts';
import { statusQuery } from './messages.ts';
import { WORK_LIMIT } from './policies.ts';
import { createProgress, type Progress } from './progress.ts';
import { deployAndPublish } from './publishing.ts';

/**
 * A task from its request to its callback: work, commit, preview, publish, [status decided], callback.
 * @param task what is asked for; `task.taskId` is the workflow's id
 * @returns the finished view, as the memo `finished` has it
 * @throws ApplicationFailure `TaskFailed` with the errorMessage, after the callback, so that operators find failed tasks by their status
 */
export async function taskWorkflow(task: TaskInput): Promise<FinishedView> {
  const progress = createProgress(task);
  setHandler(statusQuery, progress.view);
  const finished = await finish(task, progress);
  await CancellationScope.nonCancellable(async () => {
    decide(finished, progress);
    if (task.callbackUrl !== undefined) await sendCallback(task, task.callbackUrl, finished, progress);
  });
  if (finished.status === 'failed') throw ApplicationFailure.nonRetryable(finished.errorMessage, 'TaskFailed');
  return finished;
}

async function finish(task: TaskInput, progress: Progress): Promise<FinishedView> {
  const work = new CancellationScope({ cancellable: true, timeout: WORK_LIMIT });
  const result = await attempt(work.run(() => doWork(task, progress)));
  const finishedAt = new Date().toISOString();
  if (result.ok) return { status: 'completed', output: result.value, finishedAt };
  return { status: 'failed', errorMessage: messageOf(result.error), finishedAt };
}

async function doWork(task: TaskInput, progress: Progress): Promise<TaskOutput> {
  const { work } = task;
  const result =
    work.type === 'prompt' ? await runPrompt(task, work, progress) : await generatePages(task, work, progress);
  return deployAndPublish(task, result, progress);
}

/** From here on the memo decides what clients see, whatever becomes of the workflow. */
function decide(finished: FinishedView, progress: Progress) {
  upsertMemo({ finished });
  upsertSearchAttributes({ TaskStatus: [finished.status] });
  progress.finish(finished);
}

async function sendCallback(task: TaskInput, callbackUrl: string, finished: FinishedView, progress: Progress) {
  const deliver = summary('Tell the callback that the task has ended');
  const sent = await attempt(
    callbacks.sendCallback.executeWithOptions(deliver, [{ task: refOf(task), callbackUrl, finished }]),
  );
  progress.callback(sent.ok ? 'delivered' : `not delivered: ${messageOf(sent.error)}`);
}
