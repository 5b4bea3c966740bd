import type { NativeConnection } from '@temporalio/worker';
import { TASK_QUEUE } from '../contract/task.ts';
import { readPollers } from './pollers.ts';

/** The name of Temporal's Worker Deployment. The code of every worker is a version of it. */
export const DEPLOYMENT = 'agent-tasks';
/** temporal.api.enums.v1.WorkerStatus */
const SHUTTING_DOWN = 2;
const NOT_FOUND = 5;

export interface VersionedServer {
  service: NativeConnection['workflowService'];
  namespace: string;
}

export interface WorkerVersions {
  /** The build of the current version, which gets the tasks. */
  current: string | undefined;
  /** The version that gets a share of the tasks. */
  ramping: { build: string; percent: number } | undefined;
  /** The versions that Temporal remembers, newest first. */
  known: { build: string; wasCurrent: boolean }[];
  /** A token for changes: a change fails if the versions have changed since. */
  conflictToken: Uint8Array | undefined;
}

/** Reads the versions of workers that have polled for work, and which of them get the tasks. */
export async function readVersions({
  service,
  namespace,
}: VersionedServer): Promise<WorkerVersions> {
  const request = { namespace, deploymentName: DEPLOYMENT };
  const deployment = await service
    .describeWorkerDeployment(request)
    .catch((error: { code?: number }) => {
      if (error.code === NOT_FOUND) return undefined; // no worker has ever polled
      throw error;
    });
  const { routingConfig, versionSummaries = [] } = deployment?.workerDeploymentInfo ?? {};
  const ramping = routingConfig?.rampingDeploymentVersion?.buildId;
  return {
    current: routingConfig?.currentDeploymentVersion?.buildId || undefined,
    ramping: ramping
      ? { build: ramping, percent: routingConfig?.rampingVersionPercentage ?? 0 }
      : undefined,
    known: (versionSummaries ?? []).map(({ deploymentVersion, lastCurrentTime }) => ({
      build: deploymentVersion?.buildId ?? '',
      wasCurrent: Boolean(lastCurrentTime),
    })),
    conflictToken: deployment?.conflictToken,
  };
}

/** The workers of any version that polled for tasks in the last 90 s. */
export const listPollers = async ({ service, namespace }: VersionedServer) =>
  (await readPollers(service, { namespace, name: TASK_QUEUE, type: 'workflows' })).pollers;

/**
 * The names of workers that were shut down cleanly. Temporal still lists them as recent pollers.
 * Empty if the server keeps no list of workers.
 */
export async function listStoppedWorkers({
  service,
  namespace,
}: VersionedServer): Promise<Set<string>> {
  const request = { namespace, pageSize: 1_000, query: `TaskQueue = "${TASK_QUEUE}"` };
  const { workers } = await service.listWorkers(request).catch(() => ({ workers: [] }));
  const stoppedWorkers = workers.filter(({ status }) => Number(status) >= SHUTTING_DOWN);
  return new Set(stoppedWorkers.map(({ workerIdentity }) => workerIdentity ?? ''));
}
