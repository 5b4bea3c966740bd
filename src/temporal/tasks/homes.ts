import type { Client } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import { homeIn, homeOf } from '../homes.ts';
import { stepQueues } from '../../contract/task.ts';
import type { Calls } from './calls.ts';

const ASK_EVERY_MS = 10_000;
const ANSWERS_WITHIN_MS = 2_000;
/** A worker asks for work at least once in a minute. */
const GONE_AFTER_MS = 90_000;
/** temporal.api.enums.v1.TaskQueueType */
const ACTIVITIES = 2;

export interface Homes {
  /** The worker that should have a site already; undefined where none is known. */
  of(siteId: string): string | undefined;
}

/**
 * The homes of sites: each site has one of the workers that ask for work, as long as this one does. The list of workers
 * is some seconds old. Nobody waits for it: without one, sites have no home.
 */
export function createHomes(client: Client, calls: Calls, now = Date.now): Homes {
  let homes: string[] = [];
  let askedAt = -Infinity;

  async function ask() {
    const found = await calls.within(ANSWERS_WITHIN_MS, () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: stepQueues.sites },
        taskQueueType: ACTIVITIES,
      }),
    );
    const present = found.pollers.filter(
      ({ lastAccessTime }) => Number(optionalTsToDate(lastAccessTime)) > now() - GONE_AFTER_MS,
    );
    homes = [...new Set(present.flatMap(({ identity }) => homeIn(identity ?? '') ?? []))];
  }

  return {
    of(siteId) {
      if (now() - askedAt > ASK_EVERY_MS) {
        askedAt = now();
        ask().catch(() => undefined);
      }
      return homeOf(siteId, homes);
    },
  };
}
