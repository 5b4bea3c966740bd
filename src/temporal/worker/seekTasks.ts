import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import { TASK_QUEUE } from '../../contract/task.ts';
import { callUntilAborted } from '../abortableCall.ts';
import { GONE_AFTER_MS, readPollers } from '../pollers.ts';
import { DEPLOYMENT, readVersions, type Versions, whoLeft } from '../versions.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 15_000;
const ANSWERS_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 3_000;

/** Options of a versioned worker. Running workflows move to the current version. */
export const versionOf = (buildId: string) =>
  ({
    useWorkerVersioning: true,
    version: { deploymentName: DEPLOYMENT, buildId },
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  }) satisfies WorkerDeploymentOptions;

interface Start {
  connection: NativeConnection;
  namespace: string;
  buildId: string;
  signal: AbortSignal;
}

interface Listener {
  /** Called with the reason while another version keeps the tasks. */
  onWait: (why: string) => void;
  /** Called with the reason of each failed attempt. */
  onRefusal: (why: string) => void;
}

/**
 * Makes the version of a starting worker the current one, unless workers of another version have
 * the tasks. After that, Temporal gives it the steps of all workflows. Keeps waiting and retrying
 * until the signal aborts.
 * @returns whether the version is the current one
 */
export async function seekTasks(
  { connection, signal, ...start }: Start,
  { onWait, onRefusal }: Listener,
) {
  const server = { service: connection.workflowService, namespace: start.namespace };
  const look = createLook(server, start.buildId);
  const inTime = () => connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, look);
  for (
    let pause = FIRST_PAUSE_MS;
    !signal.aborted;
    pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)
  ) {
    try {
      const { next, why } = await callUntilAborted(connection, [signal], inTime);
      if (next !== 'wait') return true;
      onWait(why);
    } catch (error) {
      onRefusal(error instanceof Error ? error.message : String(error));
    }
    await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/**
 * Makes a function that checks which version has the tasks, and takes them if no worker has them.
 */
function createLook(
  server: { service: NativeConnection['workflowService']; namespace: string },
  buildId: string,
) {
  const absence = createAbsence();
  const queue = { namespace: server.namespace, name: TASK_QUEUE, type: 'workflows' } as const;
  const allPollers = () => readPollers(server.service, queue, () => 0);
  const read = () => Promise.all([readVersions(server), whoLeft(server), allPollers()]);
  return async () => {
    const [versions, left, { pollers }] = await read().catch((error: unknown) => {
      absence(NaN); // if the server can't be reached from here, workers may not reach it either
      throw error;
    });
    const workers = pollers.filter((worker) => worker.buildId === versions.current);
    const next = nextOf(buildId, versions, {
      inOrder: workers.length > 0 && workers.every(({ identity }) => left.has(identity)),
      absentMs: absence(Math.max(...workers.map(({ askedAt }) => askedAt))),
    });
    if (next === 'promote') await promote(server, buildId, versions);
    return { next, why: whyOf(buildId, versions.current) };
  };
}

/**
 * Measures for how long workers have not polled for work. Restarts when the time of their last poll
 * changes, and when the server forgets it, as it does after a restart.
 */
export function createAbsence() {
  let last: number | undefined;
  let since = 0;
  return (askedAt: number, now = performance.now()) => {
    if (askedAt !== last) [last, since] = [askedAt, now];
    return now - since;
  };
}

/**
 * Decides whether a starting worker takes the tasks.
 * @param inOrder whether the server remembers workers of the current version, and all of them were
 *   shut down cleanly
 * @param absentMs milliseconds that none of them has polled, as far as this process has seen
 */
export function nextOf(
  own: string,
  { current, known }: Pick<Versions, 'current' | 'known'>,
  { inOrder, absentMs }: { inOrder: boolean; absentMs: number },
): 'work' | 'promote' | 'wait' {
  if (current === own) return 'work';
  const hasBeen = known.some(({ build, wasCurrent }) => build === own && wasCurrent);
  // a former version does not take over from its successor, which may be restarting
  const gone = (inOrder && !hasBeen) || absentMs >= GONE_AFTER_MS;
  return current === undefined || gone ? 'promote' : 'wait';
}

/** @throws Error if Temporal named no versions: by now, one may have the tasks */
async function promote(
  { service, namespace }: Parameters<typeof createLook>[0],
  buildId: string,
  { conflictToken }: Pick<Versions, 'conflictToken'>,
): Promise<void> {
  if (!conflictToken) throw new Error('Temporal knows no version of the workers yet');
  await service.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: DEPLOYMENT,
    buildId,
    ignoreMissingTaskQueues: true,
    conflictToken,
  });
}

const promoteBy = (buildId: string) => `npm run -s cli -- worker promote --build ${buildId}`;
const whyOf = (own: string, current: string | undefined) =>
  `version ${current} has the tasks. Version ${own}, which this process has, gets them ` +
  `where no worker of that one has asked for 90 s, or by: ${promoteBy(own)}`;

/**
 * Checks that a worker of the current version polls for tasks. Then this worker is ready too, even
 * with another version: it completes its steps, and its process serves the API as before.
 * @returns true, or the reason why not
 */
export async function checkCurrent(
  { connection, namespace, buildId }: Pick<Start, 'connection' | 'namespace' | 'buildId'>,
  now?: () => number,
): Promise<true | string> {
  const queue = { namespace, name: TASK_QUEUE, type: 'workflows' } as const;
  const ask = () => readPollers(connection.workflowService, queue, now);
  const { current, pollers } = await connection.withDeadline(Date.now() + READY_WITHIN_MS, ask);
  if (current === buildId || pollers.some((poller) => poller.buildId === current)) return true;
  const which = current === undefined ? 'the one without a build id' : current;
  return `the current version is ${which}, and no worker of it asks for tasks: start one, or ${promoteBy(buildId)}`;
}
