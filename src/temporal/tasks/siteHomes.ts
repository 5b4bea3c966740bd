import { readPollers } from '../pollers.ts';
import { homeIn, homeOf } from '../homes.ts';
import { stepQueues } from '../../contract/task.ts';
import type { Calls } from './calls.ts';

const ASK_EVERY_MS = 10_000;
const ANSWERS_WITHIN_MS = 2_000;

export interface Homes {
  /** The home that should have the site's copy; undefined if none is known. */
  of(siteId: string): string | undefined;
}

/**
 * Gives each site a home among the workers that poll with the current version's code. The site
 * keeps it as long as that worker polls. The list of workers may be some seconds old. Callers never
 * wait for the list: before it arrives, sites have no home.
 */
export function createHomes(calls: Calls): Homes {
  let homes: string[] = [];
  let askedAt = -Infinity;

  async function ask() {
    const { client } = calls;
    const queue = {
      namespace: client.options.namespace,
      name: stepQueues.sites,
      type: 'activities',
    } as const;
    const { pollers, current } = await calls.within(ANSWERS_WITHIN_MS, () =>
      readPollers(client.workflowService, queue),
    );
    // a step never runs in the code of another version
    const present = pollers.filter(({ buildId }) => current === undefined || buildId === current);
    homes = [...new Set(present.flatMap(({ identity }) => homeIn(identity) ?? []))];
  }

  return {
    of(siteId) {
      if (performance.now() - askedAt > ASK_EVERY_MS) {
        askedAt = performance.now();
        ask().catch(() => undefined);
      }
      return homeOf(siteId, homes);
    },
  };
}
