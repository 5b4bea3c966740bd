import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';

/** A worker asks at least once in a minute: no call for work waits longer. */
export const GONE_AFTER_MS = 90_000;
/** temporal.api.enums.v1.TaskQueueType */
const types = { workflows: 1, activities: 2 } as const;

interface Queue {
  namespace: string;
  name: string;
  type: keyof typeof types;
}

interface Pollers {
  /** The build id of the current version; undefined: workers without one get the work. */
  current: string | undefined;
  /** The workers that ask for work. `askedAt` is the time of the last call, at the server. */
  pollers: { identity: string; buildId: string | undefined; askedAt: number }[];
}

/**
 * The workers that have asked for work in a queue in the last 90 s, and the version that gets it.
 * @param now returns the server's time, given when any worker last asked: the server tells no other
 *   time. Returns 0 to get all workers that the server remembers
 */
export async function readPollers(
  service: NativeConnection['workflowService'],
  { namespace, name, type }: Queue,
  now: (lastAsked: number) => number = (lastAsked) => lastAsked,
): Promise<Pollers> {
  const request = { namespace, taskQueue: { name }, taskQueueType: types[type] };
  const { pollers, versioningInfo } = await service.describeTaskQueue(request);
  const times = pollers.map(({ lastAccessTime }) => Number(optionalTsToDate(lastAccessTime)));
  const since = now(Math.max(...times)) - GONE_AFTER_MS;
  const present = pollers.filter((_, i) => times[i]! > since);
  return {
    current: versioningInfo?.currentDeploymentVersion?.buildId || undefined,
    pollers: present.map(({ identity, deploymentOptions, lastAccessTime }) => ({
      identity: identity ?? '',
      buildId: deploymentOptions?.buildId || undefined,
      askedAt: Number(optionalTsToDate(lastAccessTime)),
    })),
  };
}
