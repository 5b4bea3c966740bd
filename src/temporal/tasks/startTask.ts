import {
  type Client,
  type WorkflowExecutionDescription,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Creator } from '../../contract/creator.ts';
import type { EventListeners } from '../../contract/events.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { type HeartbeatIntervals, TASK_QUEUE, TASK_WORKFLOW } from '../../contract/task.ts';
import { defaultTaskTitle } from '../../contract/text/taskTitles.ts';
import { DomainError } from '../../errors.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { abandonTask } from './abandonTask.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import type { PreferredWorkers } from './preferredWorkers.ts';
import { taskStartOptions } from './startOptions.ts';
import { createStartQueue } from './startQueue.ts';
import { derivedTaskId, randomTaskId } from './taskId.ts';
import { describeWorkflow, taskRecordOf } from './taskRecord.ts';
import type { StartedTask, StartRequest, TaskService } from './taskService.ts';

const RETRY_IN_SECONDS = 5;

export interface TaskStartOptions {
  /** The secret for deriving task ids from idempotency keys, and for signing lists' cursors. */
  secret: Uint8Array;
  /** Milliseconds. */
  workflowTaskTimeout: number;
  /** Heartbeats of the tasks' activities. Default: an activity without one for 10 s is dead. */
  heartbeats?: HeartbeatIntervals;
  /** Who listens to the events of a task or batch. Default: nobody. */
  listenersOf?: ListenersFinder;
  /** The permits of running tasks. */
  leases: Pick<TaskLeases, 'limit' | 'acquire' | 'release'>;
}

/** Returns undefined if nobody listens. */
export type ListenersFinder = (
  organizationId: string,
  createdBy: Creator,
) => Promise<EventListeners | undefined>;

interface StartTaskOptions extends TaskStartOptions {
  calls: TemporalCalls;
  /** Present if several workers share the tasks. */
  homes: PreferredWorkers | undefined;
  /** Aborts the work that still runs for failed creations. */
  closing: AbortSignal;
}

/**
 * Creates `TaskService.start`: acquires a permit of the organization, and starts the task's
 * workflow. With an idempotency key, the workflow's id is derived from the key, so Temporal starts
 * no second one. A repeated request gets the first task: `{ taskId: 'bg-…', createdAt: '…' }`.
 */
export function createTaskStart({
  calls,
  closing,
  homes,
  ...options
}: StartTaskOptions): TaskService['start'] {
  const { secret, workflowTaskTimeout, heartbeats, leases, listenersOf } = options;
  const { workflow } = calls.client;
  const queue = createStartQueue(calls);

  return async function start({
    task,
    about,
    idempotencyKey,
    taskId: chosenTaskId = randomTaskId(),
    ...comparedRequest
  }: StartRequest): Promise<StartedTask> {
    const taskId =
      idempotencyKey === undefined
        ? chosenTaskId
        : derivedTaskId(secret, task.organizationId, idempotencyKey);
    const queueEntry = queue.enter(task.organizationId);
    const permit = await leases.acquire({ ...task, taskId });
    const hasPermit = permit === 'taken' || permit === 'had';
    // without a key, no equal request can have started a task
    if (!hasPermit && idempotencyKey === undefined) throw tooManyInFlight(leases.limit);
    const releasePermit = () =>
      permit === 'taken' ? leases.release(taskId).catch(() => undefined) : undefined;
    let isSent = false;
    try {
      return await queueEntry.run(async () => {
        const preferredWorker = homes?.of(task.siteId);
        const listeners = await listenersOf?.(task.organizationId, about.createdBy);
        const { title = defaultTaskTitle(task.work) } = about;
        const createdAt = new Date().toISOString();
        const input = {
          ...task,
          taskId,
          title,
          createdAt,
          ...withoutUndefined({ preferredWorker, heartbeats, listeners }),
        };
        const storedRequest =
          idempotencyKey === undefined ? { bodyHash: comparedRequest.bodyHash } : comparedRequest;
        const workflowOptions = taskStartOptions(input, {
          ...storedRequest,
          taskQueue: TASK_QUEUE,
          workflowTaskTimeout,
          about,
        });
        isSent = hasPermit;
        if (hasPermit && (await startWorkflow(workflow, workflowOptions)))
          return { taskId, createdAt };
        const description = await workflow.getHandle(taskId).describe();
        const { finished, releasedPermit } = taskRecordOf(taskId, description);
        if (finished || releasedPermit) await releasePermit();
        return repeatedStart(description, taskId, comparedRequest);
      });
    } catch (cause) {
      // a task that may have begun keeps its permit: the check of leases decides
      if (!isSent || idempotencyKey === undefined) await releasePermit();
      if (!hasPermit && cause instanceof WorkflowNotFoundError) throw tooManyInFlight(leases.limit);
      if (cause instanceof DomainError) throw cause;
      if (isSent && idempotencyKey === undefined) void abandonTask(taskId, { calls, closing });
      throw new DomainError('START_FAILED', 'Failed to start task', {
        cause,
        reason: 'Temporal did not answer',
      });
    }
  };
}

/** Creates `TaskService.startedBefore`, which only looks for the task of an equal request. */
export function createStartedBefore({
  calls,
  secret,
}: Pick<StartTaskOptions, 'calls' | 'secret'>): TaskService['startedBefore'] {
  return async ({ organizationId, idempotencyKey, ...comparedRequest }) => {
    const taskId = derivedTaskId(secret, organizationId, idempotencyKey);
    const description = await describeWorkflow(calls, taskId);
    return description && repeatedStart(description, taskId, comparedRequest);
  };
}

/** Starts the workflow. @returns false if a workflow with this id exists already */
async function startWorkflow(
  workflow: Client['workflow'],
  options: ReturnType<typeof taskStartOptions>,
): Promise<boolean> {
  try {
    await workflow.start(TASK_WORKFLOW, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

type ComparedRequest = Pick<StartRequest, 'bodyHash' | 'path'>;

/** The answer of the task's first creation. Throws IDEMPOTENCY_MISMATCH. */
function repeatedStart(
  { memo }: WorkflowExecutionDescription,
  taskId: string,
  { bodyHash, path }: ComparedRequest,
): StartedTask {
  if (memo?.['bodyHash'] === bodyHash) return { taskId, createdAt: String(memo['createdAt']) };
  const difference = memo?.['path'] === path ? 'request body' : 'path';
  throw new DomainError(
    'IDEMPOTENCY_MISMATCH',
    `The Idempotency-Key was already used with another ${difference}`,
  );
}

/** The error if an organization has as many running tasks as its limit allows. */
export function tooManyInFlight(limit: number): DomainError {
  const message = `Too Many Requests: the organization already has ${limit} running tasks, its limit. Try again when one has finished`;
  const details = { retryAfterSeconds: RETRY_IN_SECONDS };
  return new DomainError('TOO_MANY_IN_FLIGHT', message, { retryable: true, details });
}
