import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import { TASK_QUEUE } from '../../contract/task.ts';
import { whoAsks } from '../askers.ts';

/** The Worker Deployment of which every process's code is a version. */
const DEPLOYMENT = 'agent-tasks';
const ASK_AGAIN_MS = 100;
const ANSWERS_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 3_000;

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

/**
 * Whether the tasks go on: a worker of the current version asks for them. A worker that another version has overtaken
 * is fine then: it ends its steps, and its process serves the API as before.
 */
export async function checkCurrent(
  { connection, namespace, buildId }: Pick<Making, 'connection' | 'namespace' | 'buildId'>,
  now?: () => number,
): Promise<true | string> {
  const queue = { namespace, name: TASK_QUEUE, type: 'workflows' } as const;
  const ask = () => whoAsks(connection.workflowService, queue, now);
  const { current, askers } = await connection.withDeadline(Date.now() + READY_WITHIN_MS, ask);
  if (current === buildId || askers.some((asker) => asker.buildId === current)) return true;
  const which = current === undefined ? 'the one without a build id' : current;
  return `the current version is ${which}, and no worker of it asks for tasks: start one, or this process again`;
}
