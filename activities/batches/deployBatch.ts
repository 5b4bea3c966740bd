import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ExpectedPage, DeploymentCheck } from '../../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { rowUrls, rowsInStates } from './deployBatchPreview.ts';
import { takeOverEdits } from './takeOverEdits.ts';

type DeployBatchDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'batches' | 'hosting'
>;

interface DeployBatchInput {
  task: TaskRef;
  /** The commit of the production branch with the batch's merge. */
  commit: string;
  /** The pages that the check of the preview looked for. */
  expectedPages?: ExpectedPage[];
}

/**
 * Deploys the production branch after the merge of a batch, and marks the batch's committed rows as
 * published. Repeatable: marking them again changes nothing. Throws DEPLOYMENT_FAILED.
 * @returns how many pages are live; `deploymentCheck`: what to wait for at an external host
 */
export function createDeployBatch(deps: DeployBatchDependencies) {
  return async (
    { task, commit, expectedPages }: DeployBatchInput,
    signal: AbortSignal,
  ): Promise<{ pages: number; deploymentCheck?: DeploymentCheck }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const batch = await deps.batches.find(organizationId, batchId);
    const tree = await repository.tree({ commit, retainedBy: null }, signal);
    const rows = await rowsInStates(deps, batchId, ['committed', 'published'], tree);
    const deployed = await deps.hosting.deployProduction(
      { site, taskId: batchId, name: batch.title, commit, pages: rows, deleted: [], expectedPages },
      signal,
    );
    await deps.batches.show(batchId, rowUrls(rows, deployed.pages, 'publishedUrl'));
    await deps.batches.move(batchId, { from: ['committed'], to: 'published' });
    // somebody may have saved an edit after the preview
    await takeOverEdits(deps, { task, site, repository, batch, signal });
    return {
      pages: deployed.pages.length,
      ...withoutUndefined({ deploymentCheck: deployed.deploymentCheck }),
    };
  };
}
