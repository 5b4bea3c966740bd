import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import { TASK_QUEUE } from '../../contract/task.ts';
import { callUntilAborted } from '../abortableCall.ts';
import { GONE_AFTER_MS, readPollers } from '../pollers.ts';
import {
  DEPLOYMENT,
  readVersions,
  type WorkerVersions,
  listStoppedWorkers,
} from '../workerVersions.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 15_000;
const ANSWERS_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 3_000;

/** Options of a versioned worker. Running workflows move to the current version. */
export const versionOptions = (buildId: string) =>
  ({
    useWorkerVersioning: true,
    version: { deploymentName: DEPLOYMENT, buildId },
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  }) satisfies WorkerDeploymentOptions;

interface VersionToStart {
  connection: NativeConnection;
  namespace: string;
  buildId: string;
  signal: AbortSignal;
}

interface SeekListener {
  /** Called with the reason while another version keeps the tasks. */
  onWait: (reason: string) => void;
  /** Called with the reason of each failed attempt. */
  onRefusal: (reason: string) => void;
}

/**
 * Makes the version of a starting worker the current version, to which Temporal gives all tasks. If
 * workers of another version still run, waits until they are gone. Keeps retrying until the signal
 * aborts.
 * @returns whether the version is the current one
 */
export async function becomeCurrentVersion(
  { connection, signal, ...versionToStart }: VersionToStart,
  { onWait, onRefusal }: SeekListener,
) {
  const server = { service: connection.workflowService, namespace: versionToStart.namespace };
  const checkVersion = createVersionCheck(server, versionToStart.buildId);
  const checkInTime = () => connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, checkVersion);
  for (
    let pause = FIRST_PAUSE_MS;
    !signal.aborted;
    pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)
  ) {
    try {
      const { next: nextStep, why: reason } = await callUntilAborted(
        connection,
        [signal],
        checkInTime,
      );
      if (nextStep !== 'wait') return true;
      onWait(reason);
    } catch (error) {
      onRefusal(error instanceof Error ? error.message : String(error));
    }
    await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/**
 * Returns a function that checks which version is current, and makes this version current if no
 * worker of that one runs.
 */
function createVersionCheck(
  server: { service: NativeConnection['workflowService']; namespace: string },
  buildId: string,
) {
  const absence = createAbsenceTimer();
  const queue = { namespace: server.namespace, name: TASK_QUEUE, type: 'workflows' } as const;
  const allPollers = () => readPollers(server.service, queue, () => 0);
  const readState = () =>
    Promise.all([readVersions(server), listStoppedWorkers(server), allPollers()]);
  return async () => {
    const [versions, stoppedWorkers, { pollers }] = await readState().catch((error: unknown) => {
      absence(NaN); // if the server can't be reached from here, workers may not reach it either
      throw error;
    });
    const workers = pollers.filter((worker) => worker.buildId === versions.current);
    const nextStep = chooseVersionStep(buildId, versions, {
      inOrder: workers.length > 0 && workers.every(({ identity }) => stoppedWorkers.has(identity)),
      absentMs: absence(Math.max(...workers.map(({ askedAt }) => askedAt))),
    });
    if (nextStep === 'promote') await makeCurrent(server, buildId, versions);
    return { next: nextStep, why: waitReason(buildId, versions.current) };
  };
}

/**
 * Returns a timer that measures for how long workers have not polled for work. It restarts when the
 * time of their last poll changes, and when the server forgets it, as it does after a restart.
 */
export function createAbsenceTimer() {
  let lastAskedAt: number | undefined;
  let since = 0;
  return (askedAt: number, now = performance.now()) => {
    if (askedAt !== lastAskedAt) [lastAskedAt, since] = [askedAt, now];
    return now - since;
  };
}

/**
 * Decides what a starting worker does: `work` if its version is current, `promote` to make it
 * current, or `wait` for the workers of the current version.
 * @param inOrder whether the server remembers workers of the current version, and all of them were
 *   shut down cleanly
 * @param absentMs milliseconds that none of them has polled, as far as this process has seen
 */
export function chooseVersionStep(
  ownBuild: string,
  { current, known }: Pick<WorkerVersions, 'current' | 'known'>,
  { inOrder, absentMs }: { inOrder: boolean; absentMs: number },
): 'work' | 'promote' | 'wait' {
  if (current === ownBuild) return 'work';
  const wasCurrentBefore = known.some(({ build, wasCurrent }) => build === ownBuild && wasCurrent);
  // a former version does not take over from its successor, which may be restarting
  const isAbsent = (inOrder && !wasCurrentBefore) || absentMs >= GONE_AFTER_MS;
  return current === undefined || isAbsent ? 'promote' : 'wait';
}

/**
 * Makes a version current. @throws Error if Temporal named no versions: one may be current by now
 */
async function makeCurrent(
  { service, namespace }: Parameters<typeof createVersionCheck>[0],
  buildId: string,
  { conflictToken }: Pick<WorkerVersions, 'conflictToken'>,
): Promise<void> {
  if (!conflictToken) throw new Error('Temporal does not know any worker version yet');
  await service.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: DEPLOYMENT,
    buildId,
    ignoreMissingTaskQueues: true,
    conflictToken,
  });
}

const promoteCommand = (buildId: string) => `npm run -s cli -- worker promote --build ${buildId}`;

/** How the line begins that says why a worker waits. */
export const NO_TASKS = 'This worker gets no tasks yet';

export const waitReason = (ownBuild: string, current: string | undefined) =>
  `the current version is ${current}. Version ${ownBuild} of this worker becomes the current version ` +
  `when no worker of ${current} has polled for 90 s, or with: ${promoteCommand(ownBuild)}`;

/**
 * Checks that some worker of the current version polls for tasks. Then this worker counts as ready
 * too, even with another version: it completes its activities, and its process serves the API.
 * @returns true, or the reason why not
 */
export async function checkCurrentVersion(
  { connection, namespace, buildId }: Pick<VersionToStart, 'connection' | 'namespace' | 'buildId'>,
  now?: () => number,
): Promise<true | string> {
  const queue = { namespace, name: TASK_QUEUE, type: 'workflows' } as const;
  const readCurrentPollers = () => readPollers(connection.workflowService, queue, now);
  const { current, pollers } = await connection.withDeadline(
    Date.now() + READY_WITHIN_MS,
    readCurrentPollers,
  );
  if (current === buildId || pollers.some((poller) => poller.buildId === current)) return true;
  const currentName = current === undefined ? 'the one without a build ID' : current;
  return `the current version is ${currentName}, and no worker of it polls for tasks. Start one, or run: ${promoteCommand(buildId)}`;
}
