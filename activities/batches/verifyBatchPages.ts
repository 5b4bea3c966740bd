import type { DeploymentCheck } from '../../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { rowUrls, rowsInStates } from './deployBatchPreview.ts';

type VerifyBatchDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'batches' | 'hosting'
>;

interface VerifyBatchInput {
  task: TaskRef;
  /** The deployment check that was waited for: it names the build with the rows. */
  deploymentCheck: DeploymentCheck;
  /** Whether the host showed pages of that build. If not, no page is checked. */
  isOnline: boolean;
  /** Whether the pages of the batch are published next. */
  publish: boolean;
}

/** Rows whose new texts are in memory at once. */
const ROWS = 100;

/**
 * Requests every page of a batch once from an external host, after the host showed some of them.
 * Stores the URLs of the pages that have their new texts. Repeatable: it stores the same URLs
 * again. Throws GIT_FAILED.
 * @returns whether the batch may be published. If so, nobody can pause or cancel it any more
 */
export function createVerifyBatchPages({
  sites,
  repositories,
  batches,
  hosting,
}: VerifyBatchDependencies) {
  return async (
    { task, deploymentCheck, isOnline, publish }: VerifyBatchInput,
    signal: AbortSignal,
  ): Promise<{ mayPublish: boolean }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite({ sites, repositories }, task);
    const { base } = await batches.find(organizationId, batchId);
    const isLive = deploymentCheck.target === 'live';
    const states = isLive
      ? (['published'] as const)
      : (['committed', 'published', 'held'] as const);
    const shownCommit = { commit: deploymentCheck.commit, retainedBy: isLive ? null : batchId };
    const tree = await repository.tree(shownCommit, signal);
    const rows = isOnline ? await rowsInStates({ batches }, batchId, [...states], tree) : [];
    const result = { ...shownCommit, base: base! };
    for (let offset = 0; offset < rows.length; offset += ROWS) {
      const rowsInMemory = rows.slice(offset, offset + ROWS);
      const pages = await hosting.findExpectedPages(site, result, rowsInMemory, signal);
      const deploymentStatus = await hosting.checkDeployment(
        site,
        { ...deploymentCheck, pages, until: new Date(0) },
        signal,
      );
      const urlField = isLive ? 'publishedUrl' : 'previewUrl';
      await batches.show(batchId, rowUrls(rowsInMemory, deploymentStatus.pages, urlField));
    }
    return { mayPublish: publish && (await batches.beginPublish(batchId)) };
  };
}
