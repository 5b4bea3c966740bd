import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ExpectedPage, DeploymentCheck } from '../../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { rowUrls, rowsInStates } from './deployBatchPreview.ts';
import { takeOverEdits } from './mergeHandEdits.ts';

type DeployBatchDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'batches' | 'hosting'
>;

interface DeployBatchInput {
  task: TaskRef;
  /** Of the production branch. */
  commit: string;
  /** The pages that the preview's look was for. */
  awaited?: ExpectedPage[];
}

/**
 * Makes a published commit live, and the rows of the batch's commit published. Repeatable. Throws
 * DEPLOYMENT_FAILED.
 */
export function createDeployBatch(deps: DeployBatchDependencies) {
  return async (
    { task, commit, awaited }: DeployBatchInput,
    signal: AbortSignal,
  ): Promise<{ pages: number; look?: DeploymentCheck }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const batch = await deps.batches.find(organizationId, batchId);
    const tree = await repository.tree({ commit, heldBy: null }, signal);
    const rows = await rowsInStates(deps, batchId, ['committed', 'published'], tree);
    const deployed = await deps.hosting.deployProduction(
      { site, taskId: batchId, name: batch.title, commit, pages: rows, deleted: [], awaited },
      signal,
    );
    await deps.batches.show(batchId, rowUrls(rows, deployed.pages, 'publishedUrl'));
    await deps.batches.move(batchId, { from: ['committed'], to: 'published' });
    // a save that began before this run may have come after the preview
    await takeOverEdits(deps, { task, site, repository, batch, signal });
    return { pages: deployed.pages.length, ...withoutUndefined({ look: deployed.look }) };
  };
}
