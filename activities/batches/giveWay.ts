import type { Batch } from '../../src/contract/batch.ts';
import type { ActivityDeps } from '../deps.ts';
import { requestOf } from '../publish.ts';
import { changedByOthers } from './changedByOthers.ts';
import { editedAgain, type EditPlace } from './takeOverEdits.ts';

type Deps = Pick<ActivityDeps, 'batches' | 'pages'>;

/**
 * Fails rows whose pages others changed on the production branch, so that the others can be
 * published. The batch's commit then has the branch's version of these pages, and a retry replaces
 * that. Repeatable: the same conflicts give the same commit, until the database has it. Throws
 * PUSH_REFUSED, GIT_FAILED.
 * @returns the batch as it is then
 */
export async function giveWay(deps: Deps, { batch, ...place }: EditPlace): Promise<Batch> {
  const { batches } = deps;
  const { batchId, organizationId, base, commit, shown } = batch;
  const { task, site, repository, signal } = place;
  if (commit === undefined) return batch;
  const { createdAt } = task;
  const own = { taskId: batchId, heldBy: batchId, commit, base: base!, createdAt };
  const pages = deps.pages.for({ organizationId, signal });
  const head = await repository.fetchHead(signal);
  const request = requestOf(own, { site, pages, left: new Map() });
  const conflicts = await repository.conflicts(request, head, signal);
  const rows = (await batches.at(batchId, conflicts)).filter(({ state }) => state === 'committed');
  if (rows.length === 0) return batch;
  const theirs = await repository.commitTheirs(
    {
      taskId: batchId,
      base: { commit, heldBy: batchId },
      theirs: { commit: head, heldBy: null },
      paths: rows.map(({ path }) => path),
      message: 'Keep pages that others changed',
      author: site.author,
      createdAt,
    },
    signal,
  );
  const move = { taskId: batchId, commit: theirs, expected: shown ?? null };
  if (!(await repository.pushParts(move, signal))) throw editedAgain(batch);
  await batches.giveWay(batchId, { commit: theirs, rows: rows.map(changedByOthers) });
  // the next look may find a page at whose path others made a folder
  return giveWay(deps, { ...place, batch: await batches.find(organizationId, batchId) });
}
