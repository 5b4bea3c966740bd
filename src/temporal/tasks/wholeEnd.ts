import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type Ended, endOf, type ReturnedEnd } from '../../contract/ended.ts';
import type { TaskInput } from '../../contract/task.ts';
import type { Calls } from './calls.ts';
import { type DescribedTask, unavailable } from './taskRecord.ts';

const READ_WITHIN_MS = 4_000;

/**
 * Reads the whole end of a task whose memo only has a part. It comes from the event that closed the
 * workflow. If the workflow is still open, or was terminated while it delivered the callback, the
 * workflow itself is queried.
 * @throws DomainError UNAVAILABLE
 */
export async function readWholeEnd(calls: Calls, task: DescribedTask): Promise<Ended> {
  const handle = calls.client.workflow.getHandle<(task: TaskInput) => Promise<ReturnedEnd>>(
    task.taskId,
  );
  try {
    const closed = task.isClosed
      ? await calls.within(READ_WITHIN_MS, () => handle.result().catch(endIn))
      : undefined;
    return closed
      ? endOf(closed)
      : await calls.within(READ_WITHIN_MS, () => handle.query<Ended>('ended'));
  } catch (cause) {
    throw unavailable(cause);
  }
}

/**
 * The end in a workflow's failure. A failed task's workflow fails with its end. @returns undefined
 * for a terminated workflow
 */
function endIn(error: unknown): ReturnedEnd | undefined {
  if (!(error instanceof WorkflowFailedError)) throw error;
  return error.cause instanceof ApplicationFailure
    ? (error.cause.details?.[0] as ReturnedEnd)
    : undefined;
}
