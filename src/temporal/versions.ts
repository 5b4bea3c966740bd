import type { NativeConnection } from '@temporalio/worker';
import { TASK_QUEUE } from '../contract/task.ts';
import { readPollers } from './pollers.ts';

/** The Worker Deployment of which every process's code is a version. */
export const DEPLOYMENT = 'agent-tasks';
/** temporal.api.enums.v1.WorkerStatus */
const SHUTTING_DOWN = 2;
const NOT_FOUND = 5;

export interface Server {
  service: NativeConnection['workflowService'];
  namespace: string;
}

export interface Versions {
  /** The one that gets the tasks. */
  current: string | undefined;
  /** The one that gets a share of them. */
  ramping: { build: string; percent: number } | undefined;
  /** Those that Temporal remembers, the newest first. */
  known: { build: string; wasCurrent: boolean }[];
  /** With it, a change fails where the versions are no longer these. */
  conflictToken: Uint8Array | undefined;
}

/** The versions that have asked for work, and who gets it. */
export async function readVersions({ service, namespace }: Server): Promise<Versions> {
  const request = { namespace, deploymentName: DEPLOYMENT };
  const found = await service
    .describeWorkerDeployment(request)
    .catch((error: { code?: number }) => {
      if (error.code === NOT_FOUND) return undefined; // no worker has ever asked
      throw error;
    });
  const { routingConfig, versionSummaries = [] } = found?.workerDeploymentInfo ?? {};
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
    conflictToken: found?.conflictToken,
  };
}

/** The workers of any version that have asked for tasks in the last 90 s. */
export const workersOf = async ({ service, namespace }: Server) =>
  (await readPollers(service, { namespace, name: TASK_QUEUE, type: 'workflows' })).pollers;

/**
 * The names of the workers that were shut down in order. Temporal still lists them among those that
 * have asked. A server that keeps no list of workers names none.
 */
export async function whoLeft({ service, namespace }: Server): Promise<Set<string>> {
  const request = { namespace, pageSize: 1_000, query: `TaskQueue = "${TASK_QUEUE}"` };
  const { workers } = await service.listWorkers(request).catch(() => ({ workers: [] }));
  const left = workers.filter(({ status }) => Number(status) >= SHUTTING_DOWN);
  return new Set(left.map(({ workerIdentity }) => workerIdentity ?? ''));
}
