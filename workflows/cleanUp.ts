import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { Activities } from '../activities/index.ts';
import { summary } from './activities.ts';
import * as policies from './policies.ts';

/** What was done so far, and the site after which to go on. */
export interface CleanUpState {
  after?: string;
  sites: number;
  removed: number;
  failed: number;
}

const steps = proxyActivities<Pick<Activities, 'cleanUp'>>(policies.cleanUp);

/** Batches of one run, so that its history stays short. */
const BATCHES = 50;

/** Removes what nobody needs any more, some sites after the other. A schedule starts it. */
export async function cleanUpWorkflow(
  state: CleanUpState = { sites: 0, removed: 0, failed: 0 },
): Promise<CleanUpState> {
  let { after, sites, removed, failed } = state;
  for (let batch = 0; batch < BATCHES; batch++) {
    const title = summary(`Clean up the sites that follow the first ${sites}`);
    const done = await steps.cleanUp.executeWithOptions(title, [defined({ after })]);
    sites += done.sites;
    removed += done.removed;
    failed += done.failed;
    setCurrentDetails(
      `${sites} sites, ${removed} results of tasks removed, ${failed} sites left for the next time`,
    );
    if (done.last === null) return { sites, removed, failed };
    after = done.last;
  }
  return continueAsNew<typeof cleanUpWorkflow>(defined({ after, sites, removed, failed }));
}
