import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import { TASK_QUEUE, TASK_WORKFLOW } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { abandon } from './abandon.ts';
import type { Calls } from './calls.ts';
import { createHomes } from './homes.ts';
import { countsOf, createInFlight, type InFlightLimits } from './inFlight.ts';
import { startOptions } from './startOptions.ts';
import { createStartQueue } from './startQueue.ts';
import { derivedTaskId, randomTaskId } from './taskId.ts';
import type { StartedTask, StartRequest, Tasks } from './tasks.ts';
import { titleWords } from './titleWords.ts';

const RETRY_IN_SECONDS = 5;

export interface TaskStartOptions {
  /** The secret for deriving task ids from idempotency keys and for making lists' cursors. */
  secret: Uint8Array;
  /** Milliseconds. */
  workflowTaskTimeout: number;
  tasksInFlight: InFlightLimits;
  /** Whether several workers share the tasks, so that each site gets a home among them. Default: no. */
  homes?: boolean;
}

interface Options extends TaskStartOptions {
  client: Client;
  calls: Calls;
  /** Ends the work that still runs for failed creations. */
  closing: AbortSignal;
}

/** How a task is started: `Tasks.start`. */
export function createStart({ client, calls, closing, ...options }: Options): Tasks['start'] {
  const { secret, workflowTaskTimeout, tasksInFlight } = options;
  const inFlight = createInFlight({ limits: tasksInFlight, counts: countsOf(client, calls) });
  const queue = createStartQueue(calls);
  const homes = options.homes ? createHomes(client, calls) : undefined;

  return async function start({ task, about, idempotencyKey, bodyHash }: StartRequest): Promise<StartedTask> {
    const taskId =
      idempotencyKey === undefined ? randomTaskId() : derivedTaskId(secret, task.organizationId, idempotencyKey);
    const turn = queue.enter(task.organizationId);
    const place = await inFlight.take({ ...task, taskId });
    const giveBack = 'giveBack' in place ? place.giveBack : undefined;
    let isSent = false;
    try {
      return await turn.run(async () => {
        const home = homes?.of(task.siteId);
        const input = { ...task, taskId, createdAt: new Date().toISOString(), ...defined({ home }) };
        const wordsOf = (title: string) => titleWords(secret, task.organizationId, title);
        const named = { wordsOf, ...defined({ about }) };
        const workflow = startOptions(input, { bodyHash, taskQueue: TASK_QUEUE, workflowTaskTimeout, ...named });
        isSent = giveBack !== undefined;
        if (giveBack && (await begins(client, workflow))) return { taskId, createdAt: input.createdAt };
        giveBack?.();
        return await firstAnswer(client, taskId, bodyHash);
      });
    } catch (cause) {
      giveBack?.();
      if ('full' in place && cause instanceof WorkflowNotFoundError) throw tooMany(place.full, tasksInFlight);
      if (cause instanceof DomainError) throw cause;
      if (isSent && idempotencyKey === undefined) void abandon(taskId, { client, calls, closing });
      throw new DomainError('START_FAILED', 'Failed to start task', { cause });
    }
  };
}

/** @returns false where there is a workflow of this id already */
async function begins(client: Client, options: ReturnType<typeof startOptions>): Promise<boolean> {
  try {
    await client.workflow.start(TASK_WORKFLOW, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** The first answer to the creation of a task. Throws IDEMPOTENCY_MISMATCH, WorkflowNotFoundError. */
async function firstAnswer(client: Client, taskId: string, bodyHash: string): Promise<StartedTask> {
  const { memo } = await client.workflow.getHandle(taskId).describe();
  if (memo?.['bodyHash'] !== bodyHash)
    throw new DomainError('IDEMPOTENCY_MISMATCH', 'Idempotency-Key was used before with another request body');
  return { taskId, createdAt: String(memo['createdAt']) };
}

function tooMany(full: keyof InFlightLimits, { [full]: limit }: InFlightLimits): DomainError {
  const message = `Too Many Requests: the ${full} has ${limit} tasks in flight, its limit`;
  const details = { retryAfterSeconds: RETRY_IN_SECONDS };
  return new DomainError('TOO_MANY_IN_FLIGHT', message, { retryable: true, details });
}
