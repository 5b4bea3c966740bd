import { defined } from '../../src/contract/defined.ts';
import type { AwaitedPage, Look } from '../../src/contract/deployment.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { addressesOf, rowsIn } from './showRows.ts';
import { takeOverEdits } from './takeOverEdits.ts';

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'batches' | 'hosting'>;

interface PutRowsLive {
  task: TaskRef;
  /** Of the production branch. */
  commit: string;
  /** The pages that the preview's look was for. */
  awaited?: AwaitedPage[];
}

/**
 * Makes a published commit live, and the rows of the batch's commit published. Repeatable. Throws
 * DEPLOYMENT_FAILED.
 */
export function createPutRowsLive(deps: Deps) {
  return async (
    { task, commit, awaited }: PutRowsLive,
    signal: AbortSignal,
  ): Promise<{ pages: number; look?: Look }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const batch = await deps.batches.find(organizationId, batchId);
    const tree = await repository.tree({ commit, heldBy: null }, signal);
    const rows = await rowsIn(deps, batchId, ['committed', 'published'], tree);
    const deployed = await deps.hosting.deployProduction(
      { site, taskId: batchId, name: batch.title, commit, pages: rows, deleted: [], awaited },
      signal,
    );
    await deps.batches.show(batchId, addressesOf(rows, deployed.pages, 'publishedUrl'));
    await deps.batches.move(batchId, { from: ['committed'], to: 'published' });
    // a save that began before this run may have come after the preview
    await takeOverEdits(deps, { task, site, repository, batch, signal });
    return { pages: deployed.pages.length, ...defined({ look: deployed.look }) };
  };
}
