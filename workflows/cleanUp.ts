import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { TaskActivities } from '../activities/index.ts';
import { summaryOptions } from './activityProxies.ts';
import * as policies from './policies.ts';

/** The totals so far, and the site after which to continue. */
export interface CleanUpState {
  after?: string;
  sites: number;
  removed: number;
  failed: number;
}

const cleanUpActivities = proxyActivities<Pick<TaskActivities, 'pruneSites'>>(policies.pruneSites);

/** Activities of one run, so that its history stays short. Each cleans up some sites. */
const BATCHES = 50;

/**
 * Removes old results of tasks and other unneeded data of all sites (see `pruneSites`). A schedule
 * starts it. A run with many sites continues as a new one.
 */
export async function cleanUpWorkflow(
  state: CleanUpState = { sites: 0, removed: 0, failed: 0 },
): Promise<CleanUpState> {
  let { after, sites, removed, failed } = state;
  for (let batch = 0; batch < BATCHES; batch++) {
    const title = summaryOptions(`Clean up the sites after the first ${sites}`);
    const cleanedSites = await cleanUpActivities.pruneSites.executeWithOptions(title, [
      withoutUndefined({ after }),
    ]);
    sites += cleanedSites.sites;
    removed += cleanedSites.removed;
    failed += cleanedSites.failed;
    setCurrentDetails(
      `${sites} sites cleaned up, ${removed} task results removed, ${failed} sites failed and are tried again by the next run`,
    );
    if (cleanedSites.last === null) return { sites, removed, failed };
    after = cleanedSites.last;
  }
  return continueAsNew<typeof cleanUpWorkflow>(withoutUndefined({ after, sites, removed, failed }));
}
