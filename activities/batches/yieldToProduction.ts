import type { Batch } from '../../src/contract/batches/batch.ts';
import type { ActivityDependencies } from '../deps.ts';
import { publishRequest } from '../publish.ts';
import { changedByOthersError } from './changedByOthers.ts';
import { editedAgain, type BatchEditContext } from './takeOverEdits.ts';

type YieldDependencies = Pick<ActivityDependencies, 'batches' | 'pages'>;

/**
 * Fails the rows whose pages other people changed on the production branch, so that the remaining
 * rows can be published. The batch's commit gets production's version of these pages. A retry of
 * such a row replaces it. Repeatable: the same conflicts give the same commit, until the database
 * has it. Throws PUSH_REFUSED, GIT_FAILED.
 * @returns the batch after the change
 */
export async function yieldToProduction(
  deps: YieldDependencies,
  { batch, ...editContext }: BatchEditContext,
): Promise<Batch> {
  const { batches } = deps;
  const { batchId, organizationId, base, commit, shown } = batch;
  const { task, site, repository, signal } = editContext;
  if (commit === undefined) return batch;
  const { createdAt } = task;
  const mergeWork = { taskId: batchId, retainedBy: batchId, commit, base: base!, createdAt };
  const pages = deps.pages.for({ organizationId, signal });
  const head = await repository.fetchHead(signal);
  const request = publishRequest(mergeWork, { site, pages });
  const conflicts = await repository.conflicts(request, head, signal);
  const rows = (await batches.at(batchId, conflicts)).filter(({ state }) => state === 'committed');
  if (rows.length === 0) return batch;
  const productionCommit = await repository.commitProductionVersions(
    {
      taskId: batchId,
      base: { commit, retainedBy: batchId },
      theirs: { commit: head, retainedBy: null },
      paths: rows.map(({ path }) => path),
      message: 'Keep pages that others changed',
      author: site.author,
      createdAt,
    },
    signal,
  );
  const refMove = { taskId: batchId, commit: productionCommit, expected: shown ?? null };
  if (!(await repository.pushBatch(refMove, signal))) throw editedAgain(batch);
  await batches.yieldToProduction(batchId, {
    commit: productionCommit,
    rows: rows.map(changedByOthersError),
  });
  // the next round may find a page at whose path others made a folder
  return yieldToProduction(deps, {
    ...editContext,
    batch: await batches.find(organizationId, batchId),
  });
}
