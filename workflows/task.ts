import {
  ApplicationFailure,
  CancellationScope,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import {
  type OutcomeWithEvents,
  outcomeMemo,
  packOutcome,
  type ReturnedOutcome,
} from '../src/contract/outcome.ts';
import type { FailureKind, Question, TaskOutcome, TaskInput } from '../src/contract/task.ts';
import { deliverCallback } from './deliverCallback.ts';
import {
  createNotifier,
  endEvents,
  type EventNotifier,
  eventText,
  taskSubject,
} from './eventNotifier.ts';
import { failureKindOfError } from './failureKinds.ts';
import { CANCELLED, clientMessage, settle } from './failures.ts';
import { generateTaskPages } from './generatePages.ts';
import { cancelUpdate, endedQuery, statusQuery } from './taskMessages.ts';
import { createProgress, type ProgressReporter } from './progress.ts';
import { runPromptWork } from './promptWork.ts';
import { createQuestions, type TaskQuestions } from './taskQuestions.ts';
import { readPublishedResult } from './readPublishedResult.ts';
import { commitRestoredFiles } from './commitRestoredFiles.ts';
import { deployAndPublish } from './deployAndPublish.ts';
import { createWithoutPermit, type WithoutPermit } from './withoutPermit.ts';
import { createWorkLimit } from './workLimit.ts';
import { currentResult, editedPageResult, type WorkResult } from './workResult.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

/**
 * Runs a task from its request to its callback:
 *
 * 1. Work and commit: `generatePages.ts` (new pages), `promptWork.ts` (a prompt), or, for tasks on
 *    earlier results, `readPublishedResult.ts` or `commitRestoredFiles.ts`. The editor has made the
 *    commit of an edit before its task begins.
 * 2. `deployAndPublish.ts` shows the commit in a preview, and publishes it if the task asks for it.
 * 3. `recordOutcome` decides the status, `completed` or `failed`. From then on it never changes.
 * 4. `eventNotifier.ts` starts the deliveries of its events, and `deliverCallback.ts` sends the
 *    callback.
 *
 * Everything outside of Temporal is an activity, run by a policy of `policies.ts`. Clients follow
 * and cancel the task by the messages of `taskMessages.ts`. The other workflows are `batch.ts` (a
 * table of pages), `redeliver.ts` (a callback sent again), `deliverEvent.ts` and `cleanUp.ts`.
 *
 * For example, a task with the work `{ type: 'generate_pages', … }` for one page returns
 * `{ status: 'completed', output: { pagesCreated: [{ slug: '/locations/lisbon', … }], … }, … }`.
 * @param task the request; `task.taskId` is the workflow's id
 * @returns the outcome with the events. The workflow's memo has the same, or a part if it is large
 * @throws ApplicationFailure `TaskFailed` with the errorMessage, after the callback, so that
 *   operators find failed tasks by their status. Its details have the outcome
 */
export async function taskWorkflow(task: TaskInput): Promise<ReturnedOutcome> {
  const progress = createProgress(task);
  const workScope = new CancellationScope();
  const workLimit = createWorkLimit(task, workScope);
  const notifier = createNotifier(task);
  const withoutPermit = createWithoutPermit(task, workLimit, notifier);
  const questions = createQuestions(progress, (question) =>
    notifyQuestion(task, question, notifier),
  );
  const waitContext = { withoutPermit, questions, notifier };
  setHandler(statusQuery, progress.view);
  setHandler(endedQuery, progress.ended);
  setHandler(cancelUpdate, () => cancelWork(workScope, progress), {
    validator: () => refuseIfTooLate(progress),
  });
  const { finished, kind: failureKind } = await finishWork(
    workScope.run(() => workLimit.within(() => runAndDeploy(task, progress, waitContext))),
    progress,
  );
  const outcome = await CancellationScope.nonCancellable(async () => {
    const recordedOutcome = recordOutcome(finished, progress, failureKind);
    for (const event of endEvents(task, finished, failureKind)) await notifier.notify(event);
    if (task.callbackUrl !== undefined)
      await deliverCallback(task, { url: task.callbackUrl, finished }, progress.callback);
    return recordedOutcome;
  });
  if (outcome.status === 'failed')
    throw ApplicationFailure.nonRetryable(outcome.errorMessage, 'TaskFailed', outcome);
  return packOutcome(outcome);
}

function cancelWork(workScope: CancellationScope, progress: ProgressReporter) {
  progress.cancelled();
  workScope.cancel();
}

function refuseIfTooLate(progress: ProgressReporter) {
  const state = progress.state();
  if (state !== 'working')
    throw ApplicationFailure.nonRetryable(`The task is ${state}`, 'CONFLICT');
}

interface FinishedWork {
  finished: TaskOutcome;
  /** Of a failure. */
  kind?: FailureKind;
}

async function finishWork(
  runningWork: ReturnType<typeof runAndDeploy>,
  progress: ProgressReporter,
): Promise<FinishedWork> {
  const result = await settle(runningWork);
  const finishedAt = new Date().toISOString();
  const failedWork = (errorMessage: string, failureKind: FailureKind): FinishedWork => {
    const usedSoFar = progress.usageCounter.usage();
    const usage = usedSoFar && usedSoFar.turns > 0 ? usedSoFar : undefined;
    return {
      finished: { status: 'failed', errorMessage, ...withoutUndefined({ usage }), finishedAt },
      kind: failureKind,
    };
  };
  // once a cancel is confirmed, the task ends as cancelled, even if its last activity was faster
  if (progress.isCancelled()) return failedWork(CANCELLED, 'cancelled');
  if (!result.ok) return failedWork(clientMessage(result.error), failureKindOfError(result.error));
  return { finished: { status: 'completed', ...result.value, finishedAt } };
}

/** How a task waits for people. */
interface WaitContext {
  withoutPermit: WithoutPermit;
  questions: TaskQuestions;
  notifier: EventNotifier;
}

async function runAndDeploy(task: TaskInput, progress: ProgressReporter, waitContext: WaitContext) {
  const { withoutPermit, notifier } = waitContext;
  const workResult = await runWork(task, progress, waitContext);
  const deployed = await deployAndPublish(task, workResult, {
    progress,
    withoutPermit,
    notifier,
  });
  const result = currentResult(task, workResult);
  return { ...deployed, ...withoutUndefined({ result }) };
}

function runWork(
  task: TaskInput,
  progress: ProgressReporter,
  waitContext: WaitContext,
): Promise<WorkResult> {
  const { work } = task;
  const { withoutPermit, questions } = waitContext;
  switch (work.type) {
    case 'prompt':
      return runPromptWork(task, work, {
        progress,
        ask: (question) => withoutPermit(() => questions.ask(question)),
      });
    case 'generate_pages':
      return generateTaskPages(task, work, { progress, ...waitContext });
    case 'publish':
      return readPublishedResult(task, work, progress);
    case 'restore':
      return commitRestoredFiles(task, work, progress);
    case 'edit':
      return Promise.resolve(editedPageResult(work));
  }
}

const notifyQuestion = (
  task: TaskInput,
  { questionId, question }: Question,
  notifier: EventNotifier,
) =>
  notifier.notify({
    type: 'task.question',
    eventId: `${task.taskId}-${questionId}`,
    data: { ...taskSubject(task), questionId, question: eventText(question) },
  });

/** Stores the outcome in the memo, from which clients read it, whatever happens to the workflow. */
function recordOutcome(
  finished: TaskOutcome,
  progress: ProgressReporter,
  failureKind?: FailureKind,
): OutcomeWithEvents {
  const outcome = progress.finish(finished, failureKind);
  upsertMemo(outcomeMemo(outcome, workflowInfo().memo));
  upsertSearchAttributes([
    { key: attributeKeys.taskStatus, value: finished.status },
    ...(failureKind ? [{ key: attributeKeys.failureKind, value: failureKind }] : []),
  ]);
  return outcome;
}
