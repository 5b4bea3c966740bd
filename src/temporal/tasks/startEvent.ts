import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { EVENT_WORKFLOW, type EventInput } from '../../contract/events.ts';
import { TASK_QUEUE } from '../../contract/task.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { summaryLine } from '../../contract/text/summaries.ts';
import type { TaskStartOptions } from './startTask.ts';
import { taskUnavailable } from './taskRecord.ts';
import type { TemporalCalls } from './temporalCalls.ts';

const START_WITHIN_MS = 4_000;

/**
 * Starts the workflow that delivers an event. Does nothing if a workflow with this id exists.
 * Throws UNAVAILABLE.
 */
export type StartEvent = (workflowId: string, input: EventInput) => Promise<void>;

/** Creates the function that starts deliveries for the API. Workflows start their own. */
export function createEventStart(
  calls: TemporalCalls,
  { workflowTaskTimeout, heartbeats }: Pick<TaskStartOptions, 'workflowTaskTimeout' | 'heartbeats'>,
): StartEvent {
  return async (workflowId, input) => {
    const options = {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [{ ...input, ...withoutUndefined({ heartbeats }) }],
      workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
      workflowTaskTimeout,
      priority: { fairnessKey: input.organizationId },
      staticSummary: summaryLine(`Deliver ${input.event?.type ?? 'an event again'}`),
    };
    try {
      await calls.within(START_WITHIN_MS, () =>
        calls.client.workflow.start(EVENT_WORKFLOW, options),
      );
    } catch (cause) {
      if (!(cause instanceof WorkflowExecutionAlreadyStartedError)) throw taskUnavailable(cause);
    }
  };
}
