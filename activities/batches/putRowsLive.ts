import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { addressesOf, rowsIn } from './showRows.ts';

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'batches' | 'hosting'>;

/**
 * Makes a published commit live, and the rows of the batch's commit published. Repeatable. Throws
 * DEPLOYMENT_FAILED.
 * @param commit of the production branch
 */
export function createPutRowsLive(deps: Deps) {
  return async (
    { task, commit }: { task: TaskRef; commit: string },
    signal: AbortSignal,
  ): Promise<{ pages: number }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const { title } = await deps.batches.find(organizationId, batchId);
    const tree = await repository.tree({ commit, heldBy: null }, signal);
    const rows = await rowsIn(deps, batchId, ['committed', 'published'], tree);
    const deployed = await deps.hosting.deployProduction(
      { site, taskId: batchId, name: title, commit, pages: rows, deleted: [] },
      signal,
    );
    await deps.batches.show(batchId, addressesOf(rows, deployed, 'publishedUrl'));
    await deps.batches.move(batchId, { from: ['committed'], to: 'published' });
    return { pages: deployed.length };
  };
}
