import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { EVENT_PAGES } from '../../src/contract/events.ts';
import type { ExpectedPage, DeploymentCheck } from '../../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { rowUrls, rowsInStates } from './deployBatchPreview.ts';
import { takeOverEdits } from './takeOverEdits.ts';

type DeployBatchDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'batches' | 'approvals' | 'hosting'
>;

interface DeployBatchInput {
  task: TaskRef;
  /** The commit of the production branch with the batch's merge. */
  commit: string;
  /** The pages that the check of the preview looked for. */
  expectedPages?: ExpectedPage[];
}

interface DeployedBatch {
  /** How many pages are live. */
  pages: number;
  /** The first ones, for an event. */
  firstPages: { slug: string; publishedUrl: string | null }[];
  /** What to wait for at an external host. */
  deploymentCheck?: DeploymentCheck;
}

/**
 * Deploys the production branch after the merge of a batch, and marks the batch's committed rows as
 * published. Repeatable: marking them again changes nothing. Throws DEPLOYMENT_FAILED.
 */
export function createDeployBatch(deps: DeployBatchDependencies) {
  return async (
    { task, commit, expectedPages }: DeployBatchInput,
    signal: AbortSignal,
  ): Promise<DeployedBatch> => {
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
      firstPages: deployed.pages
        .slice(0, EVENT_PAGES)
        .map(({ slug, url }) => ({ slug, publishedUrl: url })),
      ...withoutUndefined({ deploymentCheck: deployed.deploymentCheck }),
    };
  };
}
