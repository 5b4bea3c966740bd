import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../errors.ts';
import { connectClient } from './connection.ts';
import type { OutsideTemporal } from './setUp.ts';
import {
  DEPLOYMENT,
  readVersions,
  type VersionedServer,
  type WorkerVersions,
  listStoppedWorkers,
  listPollers,
} from './workerVersions.ts';
import { readBuildId } from './worker/workerBuild.ts';

const POLL_TIMEOUT_MS = 60_000;
const RETRY_AFTER_MS = 2_000;
const ANSWER_TIMEOUT_MS = 10_000;

export interface PromotionOptions {
  /** Default: the build of the code on disk; if `ramp` is 0, the version that has a share. */
  build?: string | undefined;
  /**
   * The share of the tasks that the version gets, in percent; undefined: all, as the current
   * version.
   */
  ramp?: number | undefined;
  /** Milliseconds that a worker of the version may take to poll for work. */
  withinMs?: number;
}

/**
 * Lists the versions of the workers' code: which one gets the tasks, and how many workers of each
 * run.
 */
export const listVersions = (temporal: OutsideTemporal) =>
  useServer(temporal, async (server) => {
    const [versions, stoppedWorkers, workers] = await Promise.all([
      readVersions(server),
      listStoppedWorkers(server),
      listPollers(server),
    ]);
    const presentWorkers = workers.filter(({ identity }) => !stoppedWorkers.has(identity));
    return {
      ...routingView(versions),
      versions: versions.known.map(({ build }) => ({
        build,
        workers: presentWorkers.filter(({ buildId }) => buildId === build).length,
      })),
    };
  });

/**
 * Gives a version all tasks, or a share of them, once a worker of it polls for work. A share of 0
 * needs no worker.
 * @throws DomainError UNAVAILABLE if no worker polls in time, or Temporal keeps refusing
 */
export const promoteVersion = (
  temporal: OutsideTemporal,
  { build, ramp, withinMs = POLL_TIMEOUT_MS }: PromotionOptions,
) =>
  useServer(temporal, async (server) => {
    const ramping = ramp === 0 ? (await readVersions(server)).ramping : undefined;
    const buildId = build ?? ramping?.build ?? (await readBuildId());
    const deadline = Date.now() + withinMs;
    for (;;) {
      try {
        await promoteBuild(server, buildId, ramp);
        return routingView(await readVersions(server));
      } catch (cause) {
        const { message } = cause as Error;
        if (Date.now() > deadline)
          throw new DomainError('UNAVAILABLE', message, { retryable: true, cause });
      }
      await delay(RETRY_AFTER_MS);
    }
  });

const routingView = ({ current, ramping }: WorkerVersions) => ({
  current: current ?? null,
  ramping: ramping ?? null,
});

async function promoteBuild(
  server: VersionedServer,
  buildId: string,
  ramp: number | undefined,
): Promise<void> {
  const { service, namespace } = server;
  const [stoppedWorkers, workers] = await Promise.all([
    listStoppedWorkers(server),
    listPollers(server),
  ]);
  if (
    ramp !== 0 &&
    !workers.some((worker) => worker.buildId === buildId && !stoppedWorkers.has(worker.identity))
  )
    throw new Error(
      `No worker of version ${buildId} polls for tasks. Start one first, or choose another version (worker list)`,
    );
  // Temporal refuses a version without a queue in which the current version has activities
  const version = { namespace, deploymentName: DEPLOYMENT, buildId };
  if (ramp === undefined) await service.setWorkerDeploymentCurrentVersion(version);
  else await service.setWorkerDeploymentRampingVersion({ ...version, percentage: ramp });
}

async function useServer<T>(
  { address, namespace, environment }: OutsideTemporal,
  useConnection: (server: VersionedServer) => Promise<T>,
) {
  if (address === undefined)
    throw new DomainError(
      'CONFIGURATION',
      'The embedded Temporal server has one worker without versions. Set TEMPORAL_ADDRESS to use this command',
    );
  const connection = connectClient({ environment });
  try {
    const server = { service: connection.workflowService, namespace };
    return await connection.withDeadline(Date.now() + POLL_TIMEOUT_MS + ANSWER_TIMEOUT_MS, () =>
      useConnection(server),
    );
  } finally {
    await connection.close();
  }
}
