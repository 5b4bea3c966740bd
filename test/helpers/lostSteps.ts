import type { Client } from '@temporalio/client';

/**
 * A machine that is busy for 10 s loses a step, whatever the step does: its heartbeats come too
 * late.
 */
export const LOST = 'activity Heartbeat timeout';

/** Why steps of a task were tried again. */
export async function reasonsOf(
  temporal: Client,
  taskId: string,
): Promise<(string | null | undefined)[]> {
  const { events } = await temporal.workflow.getHandle(taskId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
    started?.lastFailure ? [started.lastFailure.message] : [],
  );
}
