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

interface Askers {
  /** The build id of the current version; undefined: workers without one get the work. */
  current: string | undefined;
  /** Workers that ask for work, by name and build id, and when each asked last. */
  askers: { identity: string; buildId: string | undefined; askedAt: number }[];
}

/**
 * Who asks for work in a queue, and which version gets it. Only the server's clock counts.
 * @param now the time at the server, given when it was last asked by anyone: no later time of its
 *   own is to be had. At 0, all count that the server remembers
 */
export async function whoAsks(
  service: NativeConnection['workflowService'],
  { namespace, name, type }: Queue,
  now: (lastAsked: number) => number = (lastAsked) => lastAsked,
): Promise<Askers> {
  const request = { namespace, taskQueue: { name }, taskQueueType: types[type] };
  const { pollers, versioningInfo } = await service.describeTaskQueue(request);
  const times = pollers.map(({ lastAccessTime }) => Number(optionalTsToDate(lastAccessTime)));
  const since = now(Math.max(...times)) - GONE_AFTER_MS;
  const present = pollers.filter((_, i) => times[i]! > since);
  return {
    current: versioningInfo?.currentDeploymentVersion?.buildId || undefined,
    askers: present.map(({ identity, deploymentOptions, lastAccessTime }) => ({
      identity: identity ?? '',
      buildId: deploymentOptions?.buildId || undefined,
      askedAt: Number(optionalTsToDate(lastAccessTime)),
    })),
  };
}
