import { Client, type ConnectionLike } from '@temporalio/client';
import type { Activities } from '../../../activities/index.ts';
import { homeIn } from '../homes.ts';

/** temporal.api.enums.v1.PendingActivityState */
const STARTED = 2;
/** google.protobuf.Duration; none at all would mean the policy's. */
const SOON = { nanos: 1_000_000 };
const CALLBACK: keyof Activities = 'sendCallback';
/** Attempts that may be lost before a step is suspected. */
const UNSUSPECTED = 2;
const WITHIN_MS = 5_000;
const AT_ONCE = 16;

/**
 * Tells Temporal of the steps that a process had when it was killed. Otherwise it waits for their
 * heartbeats, for ten seconds. Each counts as an attempt, and keeps its notes; after the first two,
 * the next one is due at once: most likely what failed was not the step. Later ones are due when
 * the policy says, so that a step which ends the process each time leaves it time for others. So is
 * that of a callback, since receivers are promised these pauses. Only for the embedded server, and
 * before this process takes steps: then all those are lost whose worker has no home. Those with one
 * are of other services, which have this server as their outside one. What can't be told in 5 s,
 * heartbeats tell.
 * @returns how many there were
 * @throws the server's error
 */
export async function failLostSteps(
  connection: ConnectionLike,
  namespace: string,
): Promise<number> {
  const client = new Client({ connection, namespace });
  return client.withDeadline(Date.now() + WITHIN_MS, async () => {
    const open: Execution[] = [];
    for await (const { workflowId, runId } of client.workflow.list({
      query: "ExecutionStatus = 'Running'",
    }))
      open.push({ workflowId, runId });
    const queue = open.values();
    let count = 0;
    const failAll = async () => {
      for (const execution of queue) {
        // one that Temporal has just given up itself is not there to fail
        const failed = await failIn(client, execution).catch(() => 0);
        count += failed;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, failAll));
    return count;
  });
}

async function failIn(
  { workflowService, options: { namespace } }: Client,
  execution: Execution,
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

interface Execution {
  workflowId: string;
  runId: string;
}

const INTERRUPTED = 'A step of the task was interrupted: the service ended';
