import { readPollers } from '../pollers.ts';
import { preferredWorkerIn, choosePreferredWorker } from '../workerNames.ts';
import { activityQueues } from '../../contract/task.ts';
import type { TemporalCalls } from './temporalCalls.ts';

const ASK_EVERY_MS = 10_000;
const ANSWERS_WITHIN_MS = 2_000;

export interface PreferredWorkers {
  /** The worker that should have the site's clone. undefined if no worker is known. */
  of(siteId: string): string | undefined;
}

/**
 * Chooses a preferred worker for each site, among the workers of the current version. A site keeps
 * its worker as long as that worker polls for work. The list of workers may be some seconds old.
 * Callers never wait for the list: before it arrives, sites have no preferred worker.
 */
export function createPreferredWorkers(calls: TemporalCalls): PreferredWorkers {
  let workerNames: string[] = [];
  let askedAt = -Infinity;

  async function refreshHomes() {
    const { client } = calls;
    const siteQueue = {
      namespace: client.options.namespace,
      name: activityQueues.sites,
      type: 'activities',
    } as const;
    const { pollers, current } = await calls.within(ANSWERS_WITHIN_MS, () =>
      readPollers(client.workflowService, siteQueue),
    );
    // an activity never runs in the code of another version
    const presentPollers = pollers.filter(
      ({ buildId }) => current === undefined || buildId === current,
    );
    workerNames = [
      ...new Set(presentPollers.flatMap(({ identity }) => preferredWorkerIn(identity) ?? [])),
    ];
  }

  return {
    of(siteId) {
      if (performance.now() - askedAt > ASK_EVERY_MS) {
        askedAt = performance.now();
        refreshHomes().catch(() => undefined);
      }
      return choosePreferredWorker(siteId, workerNames);
    },
  };
}
