import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { isTaskId, TASK_QUEUE, TASK_WORKFLOW, type TaskEvent, type TaskView } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { type Calls, createCalls } from './calls.ts';
import { readDeliveries, startRedelivery } from './deliveries.ts';
import { readTaskHistory } from './taskHistory.ts';
import { type DescribedTask, describeTask, notFound, viewOf } from './taskRecord.ts';
import { listTasks } from './taskList.ts';
import { derivedTaskId, randomTaskId } from './taskId.ts';
import type { StartRequest, StartedTask, Tasks } from './tasks.ts';
import { startOptions } from './startOptions.ts';

/** Within which a creation is answered, retries included: the answer must be there in 5 s. */
const START_WITHIN_MS = 4_000;
const READ_WITHIN_MS = 4_000;
const CANCEL_WITHIN_MS = 4_000;
const QUERY_WITHIN_MS = 1_000;
const QUERY_EVERY_MS = 2_000;
const GIVE_UP_ABANDONING_MS = 60_000;
const CACHED_TASKS = 10_000;

interface Options {
  client: Client;
  /** The secret under which task ids are derived from idempotency keys, and lists' cursors are made. */
  secret: Uint8Array;
  /** Milliseconds. */
  workflowTaskTimeout: number;
}

type Told = TaskView & { events: TaskEvent[] };

export interface TaskClient extends Tasks {
  /** Resolves when no call is under way any more: only then may the connection be closed. */
  close(): Promise<void>;
}

/** Starts, reads and stops tasks: with its neighbours the only caller of the Temporal client. */
export function createTaskClient({ client, secret, workflowTaskTimeout }: Options): TaskClient {
  const calls = createCalls(client);
  const closing = new AbortController();
  const finished = new LRUCache<string, DescribedTask>({ max: CACHED_TASKS });
  const running = new LRUCache<string, Told>({
    max: CACHED_TASKS,
    ttl: QUERY_EVERY_MS,
    fetchMethod: (taskId) => queryStatus(client, calls, taskId),
  });

  async function find(organizationId: string, taskId: string): Promise<DescribedTask> {
    if (!isTaskId(taskId)) throw notFound();
    const known = finished.get(taskId) ?? (await describeTask(client, calls, taskId));
    if (known.organizationId !== organizationId) throw notFound();
    if (known.isClosed) finished.set(taskId, known);
    return known;
  }

  async function follow(organizationId: string, taskId: string): Promise<{ view: TaskView; events: TaskEvent[] }> {
    const task = await find(organizationId, taskId);
    if (task.finished) return { view: viewOf(task), events: task.events };
    const { events, ...view } = (await running.fetch(taskId)) ?? { ...viewOf(task), events: [] };
    return { view, events };
  }

  return {
    find,
    follow,
    list: (request) => listTasks(client, calls, secret, request),
    read: async (organizationId, taskId) => (await follow(organizationId, taskId)).view,

    async start({ task, idempotencyKey, bodyHash }: StartRequest): Promise<StartedTask> {
      const taskId =
        idempotencyKey === undefined ? randomTaskId() : derivedTaskId(secret, task.organizationId, idempotencyKey);
      const input = { ...task, taskId, createdAt: new Date().toISOString() };
      try {
        return await calls.within(START_WITHIN_MS, () => startOnce(client, input, bodyHash, workflowTaskTimeout));
      } catch (cause) {
        if (cause instanceof DomainError) throw cause;
        if (idempotencyKey === undefined) void abandon(client, calls, taskId, closing.signal);
        throw new DomainError('START_FAILED', 'Failed to start task', { cause });
      }
    },

    async request(organizationId, taskId) {
      await find(organizationId, taskId);
      return readTaskHistory(client, calls, taskId);
    },

    async cancel(organizationId, taskId) {
      if ((await find(organizationId, taskId)).finished) throw tooLate('finished');
      await askToCancel(client, calls, taskId);
      running.delete(taskId);
    },

    deliveries: async (organizationId, taskId) => readDeliveries(client, calls, await find(organizationId, taskId)),

    redeliver: async (organizationId, taskId) => startRedelivery(client, calls, await find(organizationId, taskId)),

    async close() {
      closing.abort();
      await calls.settled();
    },
  };
}

async function startOnce(
  client: Client,
  input: Parameters<typeof startOptions>[0],
  bodyHash: string,
  workflowTaskTimeout: number,
): Promise<StartedTask> {
  const { taskId, createdAt } = input;
  try {
    await client.workflow.start(
      TASK_WORKFLOW,
      startOptions(input, { bodyHash, taskQueue: TASK_QUEUE, workflowTaskTimeout }),
    );
    return { taskId, createdAt };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { memo } = await client.workflow.getHandle(taskId).describe();
    if (memo?.['bodyHash'] !== bodyHash) {
      throw new DomainError('IDEMPOTENCY_MISMATCH', 'Idempotency-Key was used before with another request body');
    }
    return { taskId, createdAt: String(memo['createdAt']) };
  }
}

const tooLate = (state: string) => new DomainError('CONFLICT', `Task is ${state}: it can't be cancelled any more`);

/** The workflow itself decides, so that nobody is told of a cancel that came too late to be one. */
async function askToCancel(client: Client, calls: Calls, taskId: string): Promise<void> {
  try {
    await calls.within(CANCEL_WITHIN_MS, () => client.workflow.getHandle(taskId).executeUpdate('cancel'));
  } catch (cause) {
    if (cause instanceof WorkflowUpdateFailedError) throw tooLate('publishing or finished');
    if (cause instanceof WorkflowNotFoundError) throw tooLate('finished');
    const message = 'The task could not be cancelled: no worker answers. It goes on; try again';
    throw new DomainError('UNAVAILABLE', message, { retryable: true, cause });
  }
}

/** The running task's own view. Where no worker answers, the view without progress: never an error. */
async function queryStatus(client: Client, calls: Calls, taskId: string): Promise<Told> {
  try {
    const told = await calls.within(QUERY_WITHIN_MS, () => client.workflow.getHandle(taskId).query<Told>('status'));
    return { ...told, events: told.events ?? [] };
  } catch {
    return { taskId, status: 'running', events: [] };
  }
}

/** Nobody knows the id of a task whose creation failed: if the server did begin it after all, it ends. */
async function abandon(client: Client, calls: Calls, taskId: string, closing: AbortSignal): Promise<void> {
  for (
    const deadline = Date.now() + GIVE_UP_ABANDONING_MS;
    Date.now() < deadline && !closing.aborted;
    await delay(1_000, undefined, { ref: false })
  ) {
    try {
      await calls.within(READ_WITHIN_MS, () =>
        client.workflow.getHandle(taskId).terminate('Its creation was answered with an error'),
      );
      return;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
    }
  }
}
