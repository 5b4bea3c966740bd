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
  /** What was looked for: the build that has the rows. */
  look: DeploymentCheck;
  /** Whether pages of that build were seen. Otherwise no page is looked at. */
  isOnline: boolean;
  /** Whether its pages are published next. */
  publish: boolean;
}

/** Rows whose new texts are in memory at once. */
const ROWS = 100;

/**
 * Looks once at every page of a batch at a host that builds, after some of them were seen there,
 * and stores the addresses of those that answer with their new text. Repeatable. Throws GIT_FAILED.
 * @returns whether the batch may be published: from then on nobody can pause or cancel it
 */
export function createVerifyBatchPages({
  sites,
  repositories,
  batches,
  hosting,
}: VerifyBatchDependencies) {
  return async (
    { task, look, isOnline, publish }: VerifyBatchInput,
    signal: AbortSignal,
  ): Promise<{ mayPublish: boolean }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite({ sites, repositories }, task);
    const { base } = await batches.find(organizationId, batchId);
    const isLive = look.target === 'live';
    const states = isLive
      ? (['published'] as const)
      : (['committed', 'published', 'held'] as const);
    const shownCommit = { commit: look.commit, heldBy: isLive ? null : batchId };
    const tree = await repository.tree(shownCommit, signal);
    const rows = isOnline ? await rowsInStates({ batches }, batchId, [...states], tree) : [];
    const result = { ...shownCommit, base: base! };
    for (let offset = 0; offset < rows.length; offset += ROWS) {
      const rowsInMemory = rows.slice(offset, offset + ROWS);
      const pages = await hosting.awaited(site, result, rowsInMemory, signal);
      const seenPages = await hosting.look(site, { ...look, pages, until: new Date(0) }, signal);
      const urlField = isLive ? 'publishedUrl' : 'previewUrl';
      await batches.show(batchId, rowUrls(rowsInMemory, seenPages.pages, urlField));
    }
    return { mayPublish: publish && (await batches.beginPublish(batchId)) };
  };
}
