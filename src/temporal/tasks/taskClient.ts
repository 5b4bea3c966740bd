import {
  ApplicationFailure,
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { type OutcomeWithEvents, isPartialOutcome } from '../../contract/outcome.ts';
import {
  ANSWER_UPDATE,
  type QuestionAnswer,
  isTaskId,
  type TaskEvent,
  type TaskView,
  createTaskView,
} from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import type { BatchRuns } from '../batches/batches.ts';
import { createBatchRuns } from '../batches/batchRuns.ts';
import { type TemporalCalls, createTemporalCalls } from './temporalCalls.ts';
import { createOpenTaskCache, createEndWaiter } from './openTaskCache.ts';
import { readDeliveries, startRedelivery } from './deliveries.ts';
import { readTaskHistory } from './taskHistory.ts';
import { type DescribedTask, describeTask, taskNotFound, type WholeTask } from './taskRecord.ts';
import { createPreferredWorkers } from './preferredWorkers.ts';
import { createEventStart, type StartEvent } from './startEvent.ts';
import { derivedTaskId } from './taskId.ts';
import { createTaskStart, createStartedBefore, type TaskStartOptions } from './startTask.ts';
import { readTaskList } from './taskList.ts';
import type { TaskService, TaskFacts } from './taskService.ts';
import { signalForgeEvent } from './signalForgeEvent.ts';
import { readWholeEnd } from './wholeEnd.ts';

const UPDATE_WITHIN_MS = 4_000;
const QUERY_WITHIN_MS = 1_000;
const QUERY_EVERY_MS = 2_000;
const CACHED_TASKS = 10_000;
/**
 * Characters of JSON of all cached finished tasks. Each has up to 24 KB in its memo. In memory, a
 * task takes about twice its JSON, and once more for the cached answer.
 */
const CACHED_CHARACTERS = 4_000_000;
/** Cached views of running tasks. New views replace the oldest ones. */
const CACHED_VIEWS = 1_000;
/** Cached outcomes that are too large for a memo: up to a megabyte each. */
const CACHED_ENDS = 50;

interface TaskClientOptions extends TaskStartOptions {
  client: Client;
  /**
   * Whether several workers share the tasks, so that each site prefers one of them. Default: no.
   */
  homes?: boolean;
}

type RunningTaskView = TaskView & { events: TaskEvent[] };
/** A task as `follow` returns it. */
type FollowedTask = Awaited<ReturnType<TaskService['follow']>>;
/**
 * A workflow's answer to a query, and the length of its history just before. The answer only
 * changes with that length.
 */
interface QueriedStatus {
  told: RunningTaskView;
  historyLength?: string;
}

export interface TaskClient extends TaskService {
  /** Resolves when no call is in progress. Only then may the connection be closed. */
  close(): Promise<void>;
  batchRuns: BatchRuns;
  startEvent: StartEvent;
  /**
   * Lets tasks that wait for a build or a merge check at once. Skips tasks that have ended. Throws
   * UNAVAILABLE.
   */
  notifyTasks(taskIds: string[]): Promise<void>;
}

/**
 * Creates the client by which the API starts, reads and stops tasks (see `TaskService`). Each task
 * is a workflow. The client starts it (`startTask.ts`), reads it (`taskRecord.ts`, from the memo,
 * which needs no worker; a running task's progress by a query), lists tasks (`taskList.ts`), and
 * sends its callback again (`deliveries.ts`). Lint lists the few other files that may use
 * Temporal's client.
 *
 * For example, `read(organizationId, 'bg-…')` returns `{ taskId, status: 'running', progress: {
 * phase: 'working', … }, … }`, and, after the task's end, its outcome.
 */
export function createTaskClient({ client, ...clientOptions }: TaskClientOptions): TaskClient {
  const calls = createTemporalCalls(client);
  const options = {
    ...clientOptions,
    homes: clientOptions.homes ? createPreferredWorkers(calls) : undefined,
  };
  const closing = new AbortController();
  const waitForEnd = createEndWaiter(calls, closing.signal);
  const endFlight = createSingleFlight<void>();
  const { describe, find, follow, forget } = createTaskReads(calls, waitForEnd);

  return {
    find,
    follow,
    async closed(taskId, signal) {
      await endFlight(taskId, (flightSignal) => waitForEnd(taskId, Infinity, flightSignal), signal);
      forget(taskId);
    },
    list: (request) => readTaskList(calls, options.secret, request),
    async read(organizationId, taskId) {
      const { view, about } = await follow(organizationId, taskId);
      return { ...view, about };
    },

    start: createTaskStart({ calls, closing: closing.signal, ...options }),
    startedBefore: createStartedBefore({ calls, secret: options.secret }),
    idOf: (organizationId, idempotencyKey) =>
      derivedTaskId(options.secret, organizationId, idempotencyKey),

    async request(organizationId, taskId) {
      await describe(organizationId, taskId);
      return readTaskHistory(calls, taskId);
    },

    async cancel(organizationId, taskId) {
      if ((await describe(organizationId, taskId)).finished) throw tooLateToCancel('finished');
      await requestCancel(calls, taskId);
      forget(taskId);
    },

    async answer(organizationId, taskId, givenAnswer) {
      const task = await find(organizationId, taskId);
      if (task.finished) return refuseUnlessRepeated(task.events, givenAnswer);
      await sendAnswer(calls, taskId, givenAnswer);
      forget(taskId);
    },

    async deliveries(organizationId, taskId) {
      const task = await describe(organizationId, taskId);
      // if only a worker has the outcome and none answers, return at least the attempts
      const wholeTask = await find(organizationId, taskId).catch(() => undefined);
      return readDeliveries(calls, task, wholeTask?.finished);
    },

    redeliver: async (organizationId, taskId, requestedBy) =>
      startRedelivery(calls, await find(organizationId, taskId), requestedBy, options),

    batchRuns: createBatchRuns({ calls, ...options }),

    startEvent: createEventStart(calls, options),

    notifyTasks: (taskIds) => signalForgeEvent(calls, taskIds),

    async close() {
      closing.abort();
      await calls.settled();
    },
  };
}

/** Reads tasks, and caches them for callers that read again. */
function createTaskReads(calls: TemporalCalls, waitForEnd: ReturnType<typeof createEndWaiter>) {
  /**
   * Tasks with a decided outcome. Until their workflow closes, their callback's state may change.
   */
  const finishedTasks = new LRUCache<string, DescribedTask>({
    max: CACHED_TASKS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (task) => JSON.stringify(task).length,
  });
  const runningViews = new LRUCache<string, QueriedStatus>({
    max: CACHED_VIEWS,
    ttl: QUERY_EVERY_MS,
    fetchMethod: (taskId, cachedBefore) => queryStatus(calls, taskId, cachedBefore),
  });
  const openTasks = createOpenTaskCache(waitForEnd);
  const followedTasks = new WeakMap<DescribedTask, FollowedTask>();
  const wholeEnds = new LRUCache<string, OutcomeWithEvents, DescribedTask>({
    max: CACHED_ENDS,
    fetchMethod: (_taskId, _old, { context: task }) => readWholeEnd(calls, task),
  });

  /** A task as its workflow's memo describes it. */
  async function describeOwnTask(organizationId: string, taskId: string): Promise<DescribedTask> {
    const cachedTask = finishedTasks.get(taskId);
    if (cachedTask?.isClosed && cachedTask.organizationId === organizationId) return cachedTask;
    if (!isTaskId(taskId)) throw taskNotFound();
    const task = await describeTask(calls, taskId);
    if (task.organizationId !== organizationId) throw taskNotFound();
    if (task.finished) finishedTasks.set(taskId, task);
    return task;
  }

  /** A task with its whole outcome, even if the memo has only a part of it. */
  const findWholeTask = async (organizationId: string, taskId: string): Promise<WholeTask> =>
    withWholeEnd(await describeOwnTask(organizationId, taskId));

  async function withWholeEnd({ finished, ...task }: DescribedTask): Promise<WholeTask> {
    const { taskId } = task;
    if (!finished) return task;
    if (!isPartialOutcome(finished)) return { ...task, finished };
    const { events, ...wholeTask } = await wholeEnds.forceFetch(taskId, {
      context: { ...task, finished },
    });
    return { ...task, finished: wholeTask, events };
  }

  /**
   * As `findWholeTask`, but may return a running task that was read a moment ago and is watched,
   * and a finished task whose callback has another state by now.
   */
  async function findToFollow(organizationId: string, taskId: string): Promise<WholeTask> {
    const cachedTask = finishedTasks.get(taskId);
    if (cachedTask?.organizationId === organizationId) return withWholeEnd(cachedTask);
    const running = openTasks.get(taskId);
    if (running?.organizationId === organizationId) return running;
    const task = await findWholeTask(organizationId, taskId);
    if (task.finished) openTasks.delete(taskId);
    else openTasks.add(task);
    return task;
  }

  async function followTask(organizationId: string, taskId: string): Promise<FollowedTask> {
    const cachedTask = finishedTasks.get(taskId);
    const cachedBefore =
      cachedTask?.organizationId === organizationId ? followedTasks.get(cachedTask) : undefined;
    if (cachedBefore) return cachedBefore;
    const task = await readToFollow(organizationId, taskId);
    const describedTask = finishedTasks.get(taskId);
    // a large outcome is cached separately, and only for a few tasks
    if (describedTask?.finished && !isPartialOutcome(describedTask.finished))
      followedTasks.set(describedTask, task);
    return task;
  }

  async function readToFollow(organizationId: string, taskId: string): Promise<FollowedTask> {
    const task = await findToFollow(organizationId, taskId);
    const { siteId, type, createdAt, title, createdBy } = task;
    const { follows, template, restores, baseTaskId } = task;
    const optionalFields = withoutUndefined({ follows, template, restores, baseTaskId });
    const about: TaskFacts = { siteId, type, createdAt, title, createdBy, ...optionalFields };
    if (task.finished)
      return { view: createTaskView(taskId, task.finished), events: task.events, about };
    const { events, ...view } = ((await runningViews.fetch(taskId)) ?? viewWithoutProgress(taskId))
      .told;
    return { view, events, about };
  }

  function forgetTask(taskId: string): void {
    runningViews.delete(taskId);
    openTasks.delete(taskId);
  }

  return { describe: describeOwnTask, find: findWholeTask, follow: followTask, forget: forgetTask };
}

export const tooLateToCancel = (state: string) =>
  new DomainError('CONFLICT', `The task is ${state} and can't be cancelled any more`);

/** All cancels of a task are one update, however many callers ask. */
const CANCEL_UPDATE = { updateId: 'cancel' };

/**
 * Asks the workflow to cancel. The workflow decides, so a cancel that comes too late is never
 * confirmed.
 */
async function requestCancel(calls: TemporalCalls, taskId: string): Promise<void> {
  try {
    await calls.within(UPDATE_WITHIN_MS, () =>
      calls.client.workflow.getHandle(taskId).executeUpdate('cancel', CANCEL_UPDATE),
    );
  } catch (cause) {
    if (cause instanceof WorkflowUpdateFailedError) throw tooLateToCancel('publishing or finished');
    if (cause instanceof WorkflowNotFoundError) throw tooLateToCancel('finished');
    const reason =
      'no worker answered in time: the task may still be cancelled when a worker answers; cancel it again to find out';
    throw new DomainError('UNAVAILABLE', 'No worker answered in time', {
      retryable: true,
      reason,
      cause,
    });
  }
}

/** Sends an answer to the workflow, which decides whether it answers the open question. */
async function sendAnswer(
  calls: TemporalCalls,
  taskId: string,
  givenAnswer: QuestionAnswer,
): Promise<void> {
  try {
    await calls.within(UPDATE_WITHIN_MS, () =>
      calls.client.workflow.getHandle(taskId).executeUpdate(ANSWER_UPDATE, { args: [givenAnswer] }),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw noOpenQuestion();
    const refusedUpdate = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (!(refusedUpdate instanceof ApplicationFailure)) throw noWorkerAnswers(error);
    const code = refusedUpdate.type === 'IDEMPOTENCY_MISMATCH' ? refusedUpdate.type : 'CONFLICT';
    throw new DomainError(code, refusedUpdate.message, { cause: error });
  }
}

/** Throws CONFLICT unless the finished task got the same answer: repeating it is not an error. */
function refuseUnlessRepeated(events: TaskEvent[], { answer, questionId }: QuestionAnswer): void {
  const isRepeated = events.some(
    (event) =>
      event.type === 'answer' &&
      event.answer === answer &&
      event.questionId === (questionId ?? event.questionId),
  );
  if (!isRepeated) throw noOpenQuestion();
}

export const noOpenQuestion = () =>
  new DomainError('CONFLICT', 'The task is finished and has no open question');

const noWorkerAnswers = (cause: unknown) => {
  const reason = 'no worker answered in time: send the answer again';
  return new DomainError('UNAVAILABLE', 'No worker answered in time', {
    retryable: true,
    reason,
    cause,
  });
};

/**
 * Reads the running task's view by a query. If no worker answers, returns the previous answer, or
 * the view without progress. It never throws. Queries need a worker and cost money, so the task is
 * only queried if its history has grown.
 */
async function queryStatus(
  calls: TemporalCalls,
  workflowId: string,
  cachedStatus?: QueriedStatus,
): Promise<QueriedStatus> {
  const { client } = calls;
  const { namespace } = client.options;
  const describeExecution = () =>
    client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
  const queryView = () => client.workflow.getHandle(workflowId).query<RunningTaskView>('status');
  try {
    const { workflowExecutionInfo: info } = await calls.within(QUERY_WITHIN_MS, describeExecution);
    const historyLength = String(info?.historyLength);
    if (cachedStatus?.historyLength === historyLength) return cachedStatus;
    return { told: await calls.within(QUERY_WITHIN_MS, queryView), historyLength };
  } catch {
    return cachedStatus ?? viewWithoutProgress(workflowId);
  }
}

const viewWithoutProgress = (taskId: string): QueriedStatus => ({
  told: { ...createTaskView(taskId), events: [] },
});
