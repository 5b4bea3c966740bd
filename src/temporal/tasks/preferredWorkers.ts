import { readPollers } from '../pollers.ts';
import { preferredWorkerIn, choosePreferredWorker } from '../workerNames.ts';
import { activityQueues } from '../../contract/task.ts';
import type { TemporalCalls } from './temporalCalls.ts';

const ASK_EVERY_MS = 10_000;
const ANSWERS_WITHIN_MS = 2_000;

export interface PreferredWorkers {
  /** The home that should have the site's copy; undefined if none is known. */
  of(siteId: string): string | undefined;
}

/**
 * Gives each site a home among the workers that poll with the current version's code. The site
 * keeps it as long as that worker polls. The list of workers may be some seconds old. Callers never
 * wait for the list: before it arrives, sites have no home.
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
    // a step never runs in the code of another version
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
