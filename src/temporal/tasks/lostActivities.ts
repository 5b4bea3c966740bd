import { Client, type ConnectionLike } from '@temporalio/client';
import type { TaskActivities } from '../../../activities/index.ts';
import { preferredWorkerIn } from '../workerNames.ts';
import { mapConcurrently } from '../../mapConcurrently.ts';

/** A run of a workflow. */
interface WorkflowRun {
  workflowId: string;
  runId: string;
}

/** temporal.api.enums.v1.PendingActivityState */
const STARTED = 2;
/** google.protobuf.Duration. Zero would mean the delay of the retry policy. */
const SOON = { nanos: 1_000_000 };
const CALLBACK: keyof TaskActivities = 'sendCallback';
/** Attempts that may be lost before the activity itself is suspected. */
const UNSUSPECTED = 2;
const WITHIN_MS = 5_000;

/**
 * Reports to Temporal that the activities of a killed process have failed. Otherwise Temporal waits
 * ten seconds for their heartbeats. Each report counts as an attempt, and keeps the heartbeat's
 * details. After the first two lost attempts, the next attempt is due at once: most likely the
 * activity did not cause the failure. Later attempts wait as the retry policy says, so that an
 * activity that kills the process each time leaves time for others. Callbacks always wait, since
 * receivers are promised these pauses.
 *
 * Only for the embedded server, and only before this process takes activities. Then all running
 * activities are lost, except those of workers that sites can prefer: these workers belong to other
 * services that use this server as their outside one. Activities that can't be reported within 5 s
 * are left to the heartbeat timeout.
 * @returns how many activities were reported
 * @throws the server's error
 */
export async function failLostActivities(
  connection: ConnectionLike,
  namespace: string,
): Promise<number> {
  const client = new Client({ connection, namespace });
  return client.withDeadline(Date.now() + WITHIN_MS, async () => {
    const openRuns: WorkflowRun[] = [];
    const runningWorkflows = client.workflow.list({ query: "ExecutionStatus = 'Running'" });
    for await (const { workflowId, runId } of runningWorkflows)
      openRuns.push({ workflowId, runId });
    // an activity that Temporal has just failed itself can't be failed again
    const failedCounts = await mapConcurrently(openRuns, (run) =>
      failLostActivitiesOfRun(client, run).catch(() => 0),
    );
    return failedCounts.reduce((sum, count) => sum + count, 0);
  });
}

async function failLostActivitiesOfRun(
  { workflowService, options: { namespace } }: Client,
  execution: WorkflowRun,
): Promise<number> {
  const { pendingActivities } = await workflowService.describeWorkflowExecution({
    namespace,
    execution,
  });
  const lostActivities = pendingActivities.filter(
    ({ state, lastWorkerIdentity }) =>
      Number(state) === STARTED && preferredWorkerIn(lastWorkerIdentity ?? '') === undefined,
  );
  for (const {
    activityId = null,
    activityType,
    attempt,
    heartbeatDetails: details = null,
  } of lostActivities) {
    const isPatient = activityType?.name === CALLBACK || (attempt ?? 1) > UNSUSPECTED;
    const nextRetryDelay = isPatient ? null : SOON;
    await workflowService.respondActivityTaskFailedById({
      namespace,
      ...execution,
      activityId,
      lastHeartbeatDetails: details,
      failure: {
        message: INTERRUPTED,
        applicationFailureInfo: { type: 'UNAVAILABLE', details, nextRetryDelay },
      },
    });
  }
  return lostActivities.length;
}

const INTERRUPTED = 'An activity of the task was interrupted, because the service stopped';
