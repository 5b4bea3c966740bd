import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  type OutcomeWithEvents,
  unpackOutcome,
  type ReturnedOutcome,
} from '../../contract/outcome.ts';
import type { TaskInput } from '../../contract/task.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { type DescribedTask, taskUnavailable } from './taskRecord.ts';

const READ_WITHIN_MS = 4_000;

/**
 * Reads the whole outcome of a task whose memo only has a part of it. Reads it from the event that
 * closed the workflow. If the workflow is still open, or was terminated while it delivered the
 * callback, queries the workflow itself.
 * @throws DomainError UNAVAILABLE
 */
export async function readWholeEnd(
  calls: TemporalCalls,
  task: DescribedTask,
): Promise<OutcomeWithEvents> {
  const handle = calls.client.workflow.getHandle<(task: TaskInput) => Promise<ReturnedOutcome>>(
    task.taskId,
  );
  try {
    const closedEnd = task.isClosed
      ? await calls.within(READ_WITHIN_MS, () => handle.result().catch(endInFailure))
      : undefined;
    return closedEnd
      ? unpackOutcome(closedEnd)
      : await calls.within(READ_WITHIN_MS, () => handle.query<OutcomeWithEvents>('ended'));
  } catch (cause) {
    throw taskUnavailable(cause);
  }
}

/**
 * The outcome of a failed task, which its workflow's failure has in its details.
 * @returns undefined for a terminated workflow
 */
function endInFailure(error: unknown): ReturnedOutcome | undefined {
  if (!(error instanceof WorkflowFailedError)) throw error;
  return error.cause instanceof ApplicationFailure
    ? (error.cause.details?.[0] as ReturnedOutcome)
    : undefined;
}
