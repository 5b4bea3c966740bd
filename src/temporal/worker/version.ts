import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';

/** The Worker Deployment of which every process's code is a version. */
const DEPLOYMENT = 'agent-tasks';
const ASK_AGAIN_MS = 100;
const ANSWERS_WITHIN_MS = 10_000;

/** How a worker is a version of its deployment: running workflows move on to whichever version is current. */
export const versionOf = (buildId: string) =>
  ({
    useWorkerVersioning: true,
    version: { deploymentName: DEPLOYMENT, buildId },
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  }) satisfies WorkerDeploymentOptions;

interface Making {
  connection: NativeConnection;
  namespace: string;
  buildId: string;
  signal: AbortSignal;
}

/**
 * Makes a version the current one: from then on Temporal gives the steps of all workflows to its workers. The server
 * must have seen these before, so it is asked until it agrees, or the signal aborts.
 * @param onRefusal called with the reason of each attempt that failed
 */
export async function makeCurrent(
  { connection, namespace, buildId, signal }: Making,
  onRefusal: (why: string) => void,
) {
  const request = { namespace, deploymentName: DEPLOYMENT, buildId, ignoreMissingTaskQueues: true };
  while (!signal.aborted) {
    try {
      const ask = () => connection.workflowService.setWorkerDeploymentCurrentVersion(request);
      const inTime = () => connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, ask);
      return void (await connection.withAbortSignal(signal, inTime));
    } catch (error) {
      onRefusal(error instanceof Error ? error.message : String(error));
    }
    await delay(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}
