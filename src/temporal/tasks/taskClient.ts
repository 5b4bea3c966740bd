import {
  ApplicationFailure,
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { defined } from '../../contract/defined.ts';
import { type Ended, isPart } from '../../contract/ended.ts';
import {
  ANSWER_UPDATE,
  type GivenAnswer,
  isTaskId,
  type TaskEvent,
  type TaskView,
  viewOf,
} from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import type { BatchRuns } from '../batches/batches.ts';
import { createBatchRuns } from '../batches/batchRuns.ts';
import { type Calls, createCalls } from './calls.ts';
import { createOpenTasks, endOf } from './openTasks.ts';
import { readDeliveries, startRedelivery } from './deliveries.ts';
import { readTaskHistory } from './taskHistory.ts';
import { type DescribedTask, describeTask, notFound, type WholeTask } from './taskRecord.ts';
import { createHomes } from './siteHomes.ts';
import { createStart, createStartedBefore, type TaskStartOptions } from './startTask.ts';
import { listTasks } from './taskList.ts';
import type { Tasks, ToldAbout } from './tasks.ts';
import { tellNews } from './tellNews.ts';
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
/** Cached views of running tasks, until others take their place. */
const CACHED_VIEWS = 1_000;
/** Cached ends that are too large for a memo: up to a megabyte each. */
const CACHED_ENDS = 50;

interface Options extends TaskStartOptions {
  client: Client;
  /**
   * Whether several workers share the tasks, so that each site gets a home among them. Default: no.
   */
  homes?: boolean;
}

type Told = TaskView & { events: TaskEvent[] };
/** A task as `follow` returns it. */
type FollowedTask = Awaited<ReturnType<Tasks['follow']>>;
/**
 * A workflow's answer to a query, and the length of its history just before. The answer only
 * changes with that length.
 */
interface Asked {
  told: Told;
  historyLength?: string;
}

export interface TaskClient extends Tasks {
  /** Resolves when no call is in progress. Only then may the connection be closed. */
  close(): Promise<void>;
  batchRuns: BatchRuns;
  /**
   * Lets tasks that wait for a build or a merge look at once. Skips those that are over. Throws
   * UNAVAILABLE.
   */
  tellNews(taskIds: string[]): Promise<void>;
}

/**
 * Starts, reads and stops tasks. Lint lists the few other files that may use the Temporal client.
 */
export function createTaskClient({ client, ...given }: Options): TaskClient {
  const calls = createCalls(client);
  const options = { ...given, homes: given.homes ? createHomes(calls) : undefined };
  const closing = new AbortController();
  const waitForEnd = endOf(calls, closing.signal);
  const ended = createSingleFlight<void>();
  const { describe, find, follow, forget } = createReads(calls, waitForEnd);

  return {
    find,
    follow,
    async closed(taskId, signal) {
      await ended(taskId, (left) => waitForEnd(taskId, Infinity, left), signal);
      forget(taskId);
    },
    list: (request) => listTasks(calls, options.secret, request),
    async read(organizationId, taskId) {
      const { view, about } = await follow(organizationId, taskId);
      return { ...view, about };
    },

    start: createStart({ calls, closing: closing.signal, ...options }),
    startedBefore: createStartedBefore({ calls, secret: options.secret }),

    async request(organizationId, taskId) {
      await describe(organizationId, taskId);
      return readTaskHistory(calls, taskId);
    },

    async cancel(organizationId, taskId) {
      if ((await describe(organizationId, taskId)).finished) throw tooLate('finished');
      await askToCancel(calls, taskId);
      forget(taskId);
    },

    async answer(organizationId, taskId, given) {
      const task = await find(organizationId, taskId);
      if (task.finished) return refuseUnlessTold(task.events, given);
      await askToAnswer(calls, taskId, given);
      forget(taskId);
    },

    async deliveries(organizationId, taskId) {
      const task = await describe(organizationId, taskId);
      // only a worker has a large end: without one, return at least the attempts
      const whole = await find(organizationId, taskId).catch(() => undefined);
      return readDeliveries(calls, task, whole?.finished);
    },

    redeliver: async (organizationId, taskId, requestedBy) =>
      startRedelivery(calls, await find(organizationId, taskId), requestedBy, options),

    batchRuns: createBatchRuns({ calls, ...options }),

    tellNews: (taskIds) => tellNews(calls, taskIds),

    async close() {
      closing.abort();
      await calls.settled();
    },
  };
}

/** Reads tasks, and caches them for callers that read again. */
function createReads(calls: Calls, waitForEnd: ReturnType<typeof endOf>) {
  /** Tasks with a decided end. Until they are closed, the state of their callback may change. */
  const finished = new LRUCache<string, DescribedTask>({
    max: CACHED_TASKS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (task) => JSON.stringify(task).length,
  });
  const running = new LRUCache<string, Asked>({
    max: CACHED_VIEWS,
    ttl: QUERY_EVERY_MS,
    fetchMethod: (taskId, before) => queryStatus(calls, taskId, before),
  });
  const open = createOpenTasks(waitForEnd);
  const followed = new WeakMap<DescribedTask, FollowedTask>();
  const ends = new LRUCache<string, Ended, DescribedTask>({
    max: CACHED_ENDS,
    fetchMethod: (_taskId, _old, { context: task }) => readWholeEnd(calls, task),
  });

  /** A task as its memo has it. */
  async function describe(organizationId: string, taskId: string): Promise<DescribedTask> {
    const known = finished.get(taskId);
    if (known?.isClosed && known.organizationId === organizationId) return known;
    if (!isTaskId(taskId)) throw notFound();
    const task = await describeTask(calls, taskId);
    if (task.organizationId !== organizationId) throw notFound();
    if (task.finished) finished.set(taskId, task);
    return task;
  }

  /** A task with its whole end. */
  const find = async (organizationId: string, taskId: string): Promise<WholeTask> =>
    withWholeEnd(await describe(organizationId, taskId));

  async function withWholeEnd({ finished, ...task }: DescribedTask): Promise<WholeTask> {
    const { taskId } = task;
    if (!finished) return task;
    if (!isPart(finished)) return { ...task, finished };
    const { events, ...whole } = await ends.forceFetch(taskId, { context: { ...task, finished } });
    return { ...task, finished: whole, events };
  }

  /**
   * As `find`, but may return a running task that was read a moment ago and is watched, and a
   * finished task whose callback has another state by now.
   */
  async function findToFollow(organizationId: string, taskId: string): Promise<WholeTask> {
    const known = finished.get(taskId);
    if (known?.organizationId === organizationId) return withWholeEnd(known);
    const running = open.get(taskId);
    if (running?.organizationId === organizationId) return running;
    const task = await find(organizationId, taskId);
    if (task.finished) open.delete(taskId);
    else open.add(task);
    return task;
  }

  async function follow(organizationId: string, taskId: string): Promise<FollowedTask> {
    const known = finished.get(taskId);
    const before = known?.organizationId === organizationId ? followed.get(known) : undefined;
    if (before) return before;
    const task = await readToFollow(organizationId, taskId);
    const described = finished.get(taskId);
    // a large end is cached by itself, and only for a few tasks
    if (described?.finished && !isPart(described.finished)) followed.set(described, task);
    return task;
  }

  async function readToFollow(organizationId: string, taskId: string): Promise<FollowedTask> {
    const task = await findToFollow(organizationId, taskId);
    const { siteId, type, createdAt, title, createdBy } = task;
    const { follows, template, restores, onto } = task;
    const optional = defined({ follows, template, restores, onto });
    const about: ToldAbout = { siteId, type, createdAt, title, createdBy, ...optional };
    if (task.finished) return { view: viewOf(taskId, task.finished), events: task.events, about };
    const { events, ...view } = ((await running.fetch(taskId)) ?? untold(taskId)).told;
    return { view, events, about };
  }

  function forget(taskId: string): void {
    running.delete(taskId);
    open.delete(taskId);
  }

  return { describe, find, follow, forget };
}

const tooLate = (state: string) =>
  new DomainError('CONFLICT', `Task is ${state}: it can't be cancelled any more`);

/** All cancels of a task are one update, however many callers ask. */
const CANCEL = { updateId: 'cancel' };

/**
 * Asks the workflow to cancel. The workflow decides, so a cancel that comes too late is never
 * confirmed.
 */
async function askToCancel(calls: Calls, taskId: string): Promise<void> {
  try {
    await calls.within(UPDATE_WITHIN_MS, () =>
      calls.client.workflow.getHandle(taskId).executeUpdate('cancel', CANCEL),
    );
  } catch (cause) {
    if (cause instanceof WorkflowUpdateFailedError) throw tooLate('publishing or finished');
    if (cause instanceof WorkflowNotFoundError) throw tooLate('finished');
    const reason = 'no worker answers: the task goes on, or is cancelled once one does';
    throw new DomainError('UNAVAILABLE', 'No worker answers', { retryable: true, reason, cause });
  }
}

/** The workflow decides whether it asks this. */
async function askToAnswer(calls: Calls, taskId: string, given: GivenAnswer): Promise<void> {
  try {
    await calls.within(UPDATE_WITHIN_MS, () =>
      calls.client.workflow.getHandle(taskId).executeUpdate(ANSWER_UPDATE, { args: [given] }),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw asksNothing();
    const refused = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (!(refused instanceof ApplicationFailure)) throw noAnswer(error);
    const code = refused.type === 'IDEMPOTENCY_MISMATCH' ? refused.type : 'CONFLICT';
    throw new DomainError(code, refused.message, { cause: error });
  }
}

/** Whether a finished task was told an answer: repeating it is no error. */
function refuseUnlessTold(events: TaskEvent[], { answer, questionId }: GivenAnswer): void {
  const isTold = events.some(
    (event) =>
      event.type === 'answer' &&
      event.answer === answer &&
      event.questionId === (questionId ?? event.questionId),
  );
  if (!isTold) throw asksNothing();
}

const asksNothing = () => new DomainError('CONFLICT', 'Task is finished: it asks nothing');

const noAnswer = (cause: unknown) => {
  const reason = 'no worker answers: ask again';
  return new DomainError('UNAVAILABLE', 'No worker answers', { retryable: true, reason, cause });
};

/**
 * The running task's own view. If no worker answers, its previous answer, or the view without
 * progress. Never an error. Queries need a worker and cost money, so the task is only queried when
 * its description has changed.
 */
async function queryStatus(calls: Calls, workflowId: string, before?: Asked): Promise<Asked> {
  const { client } = calls;
  const { namespace } = client.options;
  const describe = () =>
    client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
  const query = () => client.workflow.getHandle(workflowId).query<Told>('status');
  try {
    const { workflowExecutionInfo: info } = await calls.within(QUERY_WITHIN_MS, describe);
    const historyLength = String(info?.historyLength);
    if (before?.historyLength === historyLength) return before;
    return { told: await calls.within(QUERY_WITHIN_MS, query), historyLength };
  } catch {
    return before ?? untold(workflowId);
  }
}

const untold = (taskId: string): Asked => ({ told: { ...viewOf(taskId), events: [] } });
