import {
  type Client,
  type WorkflowExecutionDescription,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { type FinishedView, isTaskId, TASK_QUEUE, TASK_WORKFLOW, type TaskView } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { type Calls, createCalls } from './calls.ts';
import { derivedTaskId, randomTaskId } from './taskId.ts';
import type { StartRequest, StartedTask, Tasks } from './tasks.ts';
import { startOptions } from './startOptions.ts';

/** Within which a creation is answered, retries included: the answer must be there in 5 s. */
const START_WITHIN_MS = 4_000;
const READ_WITHIN_MS = 4_000;
const QUERY_WITHIN_MS = 1_000;
const QUERY_EVERY_MS = 2_000;
const GIVE_UP_ABANDONING_MS = 60_000;
const CACHED_TASKS = 10_000;

interface Options {
  client: Client;
  /** The secret under which task ids are derived from idempotency keys. */
  secret: Uint8Array;
  /** Milliseconds. */
  workflowTaskTimeout: number;
}

interface Finished {
  organizationId: string;
  view: TaskView;
}

export interface TaskClient extends Tasks {
  /** Resolves when no call is under way any more: only then may the connection be closed. */
  close(): Promise<void>;
}

/** Starts and reads tasks: the only caller of the Temporal client. */
export function createTaskClient({ client, secret, workflowTaskTimeout }: Options): TaskClient {
  const calls = createCalls(client);
  const closing = new AbortController();
  const finished = new LRUCache<string, Finished>({ max: CACHED_TASKS });
  const running = new LRUCache<string, TaskView>({
    max: CACHED_TASKS,
    ttl: QUERY_EVERY_MS,
    fetchMethod: (taskId) => queryStatus(client, calls, taskId),
  });

  return {
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

    async read(organizationId: string, taskId: string): Promise<TaskView> {
      if (!isTaskId(taskId)) throw notFound();
      const known = finished.get(taskId) ?? (await describe(client, calls, taskId));
      if (known.organizationId !== organizationId) throw notFound();
      if (known.view.status === 'running') return (await running.fetch(taskId)) ?? known.view;
      finished.set(taskId, known);
      return known.view;
    },

    async close() {
      closing.abort();
      await calls.settled();
    },
  };
}

const notFound = () => new DomainError('NOT_FOUND', 'Task not found');

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

/** What `describe` tells: fresh, and answered without a worker. */
async function describe(client: Client, calls: Calls, taskId: string): Promise<Finished> {
  try {
    const description = await calls.within(READ_WITHIN_MS, () => client.workflow.getHandle(taskId).describe());
    const [organizationId] = (description.searchAttributes['OrganizationId'] ?? []) as string[];
    return { organizationId: organizationId ?? '', view: viewOf(taskId, description) };
  } catch (cause) {
    if (cause instanceof WorkflowNotFoundError) throw notFound();
    throw new DomainError('UNAVAILABLE', 'The task could not be read: Temporal does not answer', {
      retryable: true,
      cause,
    });
  }
}

function viewOf(taskId: string, { memo, status }: WorkflowExecutionDescription): TaskView {
  const decided = memo?.['finished'] as FinishedView | undefined;
  if (decided?.status === 'completed') return { taskId, status: 'completed', output: decided.output };
  if (decided?.status === 'failed') return { taskId, status: 'failed', errorMessage: decided.errorMessage };
  if (status.name === 'RUNNING') return { taskId, status: 'running' };
  return {
    taskId,
    status: 'failed',
    errorMessage: status.name === 'TERMINATED' ? 'Task was terminated' : 'Task ended without a result',
  };
}

/** The running task's own view. Where no worker answers, the view without progress: never an error. */
async function queryStatus(client: Client, calls: Calls, taskId: string): Promise<TaskView> {
  try {
    return await calls.within(QUERY_WITHIN_MS, () => client.workflow.getHandle(taskId).query<TaskView>('status'));
  } catch {
    return { taskId, status: 'running' };
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
