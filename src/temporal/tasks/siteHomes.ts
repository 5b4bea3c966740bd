import type { Client } from '@temporalio/client';
import { whoAsks } from '../pollers.ts';
import { homeIn, homeOf } from '../homes.ts';
import { stepQueues } from '../../contract/task.ts';
import type { Calls } from './calls.ts';

const ASK_EVERY_MS = 10_000;
const ANSWERS_WITHIN_MS = 2_000;

export interface Homes {
  /** The worker that should have a site already; undefined where none is known. */
  of(siteId: string): string | undefined;
}

/**
 * The homes of sites: each site has one of the workers that ask for work with the current version's
 * code, as long as this one does. The list of workers
 * is some seconds old. Nobody waits for it: without one, sites have no home.
 */
export function createHomes(client: Client, calls: Calls): Homes {
  let homes: string[] = [];
  let askedAt = -Infinity;

  async function ask() {
    const queue = {
      namespace: client.options.namespace,
      name: stepQueues.sites,
      type: 'activities',
    } as const;
    const { askers, current } = await calls.within(ANSWERS_WITHIN_MS, () =>
      whoAsks(client.workflowService, queue),
    );
    // a step never runs in the code of another version
    const present = askers.filter(({ buildId }) => current === undefined || buildId === current);
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
