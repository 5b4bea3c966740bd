import { Client, type ConnectionLike } from '@temporalio/client';
import type { Activities } from '../../../activities/index.ts';
import { homeIn } from '../homes.ts';
import type { Run } from './adminConnection.ts';
import { atOnce } from './describeListed.ts';

/** temporal.api.enums.v1.PendingActivityState */
const STARTED = 2;
/** google.protobuf.Duration; none at all would mean the policy's. */
const SOON = { nanos: 1_000_000 };
const CALLBACK: keyof Activities = 'sendCallback';
/** Attempts that may be lost before a step is suspected. */
const UNSUSPECTED = 2;
const WITHIN_MS = 5_000;

/**
 * Reports to Temporal that the steps of a killed process have failed. Otherwise Temporal waits ten
 * seconds for their heartbeats. Each counts as an attempt, and keeps its heartbeat's details. After
 * the first two attempts the next one is due at once: most likely it was not the step that failed.
 * Later ones wait as the retry policy says, so that a step which kills the process each time leaves
 * time for others. So do those of callbacks, since receivers are promised these pauses.
 *
 * Only for the embedded server, and before this process takes steps: then all running steps are
 * lost whose worker has no home. Workers with a home belong to other services that use this server
 * as their outside one. Steps that can't be reported in 5 s are left to their heartbeats.
 * @returns how many there were
 * @throws the server's error
 */
export async function failLostSteps(
  connection: ConnectionLike,
  namespace: string,
): Promise<number> {
  const client = new Client({ connection, namespace });
  return client.withDeadline(Date.now() + WITHIN_MS, async () => {
    const open: Run[] = [];
    const running = client.workflow.list({ query: "ExecutionStatus = 'Running'" });
    for await (const { workflowId, runId } of running) open.push({ workflowId, runId });
    // a step that Temporal has just given up itself can't be failed any more
    const counts = await atOnce(open, (run) => failIn(client, run).catch(() => 0));
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

async function failIn(
  { workflowService, options: { namespace } }: Client,
  execution: Run,
): Promise<number> {
  const { pendingActivities } = await workflowService.describeWorkflowExecution({
    namespace,
    execution,
  });
  const lost = pendingActivities.filter(
    ({ state, lastWorkerIdentity }) =>
      Number(state) === STARTED && homeIn(lastWorkerIdentity ?? '') === undefined,
  );
  for (const {
    activityId = null,
    activityType,
    attempt,
    heartbeatDetails: details = null,
  } of lost) {
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
  return lost.length;
}

const INTERRUPTED = 'A step of the task was interrupted: the service ended';
