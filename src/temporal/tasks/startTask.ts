import {
  type Client,
  type WorkflowExecutionDescription,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import { type Heartbeats, TASK_QUEUE, TASK_WORKFLOW } from '../../contract/task.ts';
import { titleOf } from '../../contract/title.ts';
import { DomainError } from '../../errors.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { abandon } from './abandon.ts';
import type { Calls } from './calls.ts';
import type { Homes } from './siteHomes.ts';
import { startOptions } from './startOptions.ts';
import { createStartQueue } from './startQueue.ts';
import { derivedTaskId, randomTaskId } from './taskId.ts';
import { describeWorkflow, recordOf } from './taskRecord.ts';
import type { StartedTask, StartRequest, Tasks } from './tasks.ts';

const RETRY_IN_SECONDS = 5;

export interface TaskStartOptions {
  /** The secret for deriving task ids from idempotency keys, and for signing lists' cursors. */
  secret: Uint8Array;
  /** Milliseconds. */
  workflowTaskTimeout: number;
  /** Heartbeats of the tasks' steps. Default: a step without one for 10 s counts as dead. */
  heartbeats?: Heartbeats;
  /** The places of tasks in flight. */
  leases: Pick<TaskLeases, 'limit' | 'take' | 'giveBack'>;
}

interface Options extends TaskStartOptions {
  calls: Calls;
  /** Present if several workers share the tasks. */
  homes: Homes | undefined;
  /** Aborts the work that still runs for failed creations. */
  closing: AbortSignal;
}

/** Makes `Tasks.start`. */
export function createStart({ calls, closing, homes, ...options }: Options): Tasks['start'] {
  const { secret, workflowTaskTimeout, heartbeats, leases } = options;
  const { workflow } = calls.client;
  const queue = createStartQueue(calls);

  return async function start({
    task,
    about,
    idempotencyKey,
    ...asked
  }: StartRequest): Promise<StartedTask> {
    const taskId =
      idempotencyKey === undefined
        ? randomTaskId()
        : derivedTaskId(secret, task.organizationId, idempotencyKey);
    const entered = queue.enter(task.organizationId);
    const place = await leases.take({ ...task, taskId });
    const hasPlace = place === 'taken' || place === 'had';
    // without a key, no equal request can have started a task
    if (!hasPlace && idempotencyKey === undefined) throw tooMany(leases.limit);
    const giveBack = () =>
      place === 'taken' ? leases.giveBack(taskId).catch(() => undefined) : undefined;
    let isSent = false;
    try {
      return await entered.run(async () => {
        const home = homes?.of(task.siteId);
        const { title = titleOf(task.work) } = about;
        const createdAt = new Date().toISOString();
        const input = { ...task, taskId, title, createdAt, ...defined({ home, heartbeats }) };
        const compared = idempotencyKey === undefined ? { bodyHash: asked.bodyHash } : asked;
        const started = startOptions(input, {
          ...compared,
          taskQueue: TASK_QUEUE,
          workflowTaskTimeout,
          about,
        });
        isSent = hasPlace;
        if (hasPlace && (await begins(workflow, started))) return { taskId, createdAt };
        const found = await workflow.getHandle(taskId).describe();
        const { finished, leftPlace } = recordOf(taskId, found);
        if (finished || leftPlace) await giveBack();
        return answerOf(found, taskId, asked);
      });
    } catch (cause) {
      // a task that may have begun keeps its place: the check of leases decides
      if (!isSent || idempotencyKey === undefined) await giveBack();
      if (!hasPlace && cause instanceof WorkflowNotFoundError) throw tooMany(leases.limit);
      if (cause instanceof DomainError) throw cause;
      if (isSent && idempotencyKey === undefined) void abandon(taskId, { calls, closing });
      throw new DomainError('START_FAILED', 'Failed to start task', {
        cause,
        reason: 'Temporal does not answer',
      });
    }
  };
}

/** Makes `Tasks.startedBefore`. */
export function createStartedBefore({
  calls,
  secret,
}: Pick<Options, 'calls' | 'secret'>): Tasks['startedBefore'] {
  return async ({ organizationId, idempotencyKey, ...asked }) => {
    const taskId = derivedTaskId(secret, organizationId, idempotencyKey);
    const found = await describeWorkflow(calls, taskId);
    return found && answerOf(found, taskId, asked);
  };
}

/** Starts the workflow. @returns false if a workflow with this id exists already */
async function begins(
  workflow: Client['workflow'],
  options: ReturnType<typeof startOptions>,
): Promise<boolean> {
  try {
    await workflow.start(TASK_WORKFLOW, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

type Asked = Pick<StartRequest, 'bodyHash' | 'path'>;

/** The answer of the task's first creation. Throws IDEMPOTENCY_MISMATCH. */
function answerOf(
  { memo }: WorkflowExecutionDescription,
  taskId: string,
  { bodyHash, path }: Asked,
): StartedTask {
  if (memo?.['bodyHash'] === bodyHash) return { taskId, createdAt: String(memo['createdAt']) };
  const other = memo?.['path'] === path ? 'request body' : 'path';
  throw new DomainError(
    'IDEMPOTENCY_MISMATCH',
    `Idempotency-Key was used before with another ${other}`,
  );
}

/** The error at the limit of tasks in flight. */
export function tooMany(limit: number): DomainError {
  const message = `Too Many Requests: the organization has ${limit} tasks in flight, its limit`;
  const details = { retryAfterSeconds: RETRY_IN_SECONDS };
  return new DomainError('TOO_MANY_IN_FLIGHT', message, { retryable: true, details });
}
