import { optionalTsToDate } from './sdkInternals.ts';
import type { NativeConnection } from '@temporalio/worker';

/** A worker that has not polled for this long is gone: polls last at most a minute. */
export const GONE_AFTER_MS = 90_000;
/** temporal.api.enums.v1.TaskQueueType */
const queueTypes = { workflows: 1, activities: 2 } as const;

interface PolledQueue {
  namespace: string;
  name: string;
  type: keyof typeof queueTypes;
}

interface QueuePollers {
  /** The build id of the current version; undefined: workers without a version get the work. */
  current: string | undefined;
  /** The workers that poll for work. `askedAt`: when the last poll reached the server. */
  pollers: { identity: string; buildId: string | undefined; askedAt: number }[];
}

/**
 * Reads which workers polled a task queue in the last 90 s, that is, asked Temporal for work, and
 * which version of the workers gets the queue's work.
 * @param serverTime returns the server's time, given the time of the latest poll, which is the only
 *   server time known. Return 0 to get all workers that the server remembers
 */
export async function readPollers(
  service: NativeConnection['workflowService'],
  { namespace, name, type }: PolledQueue,
  serverTime: (lastAsked: number) => number = (lastAsked) => lastAsked,
): Promise<QueuePollers> {
  const request = { namespace, taskQueue: { name }, taskQueueType: queueTypes[type] };
  const { pollers, versioningInfo } = await service.describeTaskQueue(request);
  const accessTimes = pollers.map(({ lastAccessTime }) => Number(optionalTsToDate(lastAccessTime)));
  const since = serverTime(Math.max(...accessTimes)) - GONE_AFTER_MS;
  const presentPollers = pollers.filter((_, i) => accessTimes[i]! > since);
  return {
    current: versioningInfo?.currentDeploymentVersion?.buildId || undefined,
    pollers: presentPollers.map(({ identity, deploymentOptions, lastAccessTime }) => ({
      identity: identity ?? '',
      buildId: deploymentOptions?.buildId || undefined,
      askedAt: Number(optionalTsToDate(lastAccessTime)),
    })),
  };
}
