import type { Batch } from '../../src/contract/batch.ts';
import type { RowAt } from '../../src/contract/batchStore.ts';
import { defined } from '../../src/contract/defined.ts';
import { DomainError } from '../../src/errors.ts';
import type { BatchTip, HandEdit, Repository, Tree } from '../../src/sites/git/repository.ts';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { changedByOthers } from './changedByOthers.ts';

type Deps = Pick<ActivityDeps, 'batches'>;

export interface EditPlace {
  task: TaskRef;
  site: SiteWithRepository;
  repository: Repository;
  batch: Batch;
  signal: AbortSignal;
}

/**
 * Makes edits by hand in the batch's hidden ref a part of the batch: those of pages to be published
 * are in its commit then. All are stored, for pages that are committed later or again. A row fails
 * if others changed its page since. Repeatable: until the database knows the ref's commit, the ref
 * has the edits at its top. Throws PUSH_REFUSED, GIT_FAILED.
 * @returns the batch as it is then
 */
export async function takeOverEdits(deps: Deps, { batch, ...place }: EditPlace): Promise<Batch> {
  const { batches } = deps;
  const { batchId, organizationId, base, commit, shown } = batch;
  const tip = commit ?? base!;
  const { repository, signal } = place;
  const asked = { taskId: batchId, tip, ...defined({ shown }) };
  const found = await repository.fetchParts(asked, signal);
  if (found.commit === (shown ?? null)) return batch;
  const rows = await batches.at(
    batchId,
    found.edits.map(({ path }) => path),
  );
  const editOf = (path: string) => found.edits.find((edit) => edit.path === path)!;
  const kept = rows.map(({ number, path }) => {
    const { source, at, editor } = editOf(path);
    return { number, edit: { source, at, ...defined({ editor }) } };
  });
  await batches.keepEdits(batchId, kept);
  const changed = await changedSince({ batch, ...place }, { tip, below: found.below, rows });
  await batches.giveWay(batchId, {
    rows: changed.map((row) => changedByOthers({ ...row, isEdited: true })),
  });
  const made = rows.filter((row) => isMade(row) && !changed.includes(row));
  const edits = made.map((row) => ({ ...editOf(row.path), slug: row.slug }));
  const taken = await take({ batch, ...place }, { tip, found, edits });
  await batches.takeOver(batchId, { ...taken, edited: made.map(({ number }) => number) });
  return batches.find(organizationId, batchId);
}

const isMade = ({ state }: RowAt) => state === 'committed' || state === 'published';

type NamedEdit = HandEdit & { slug: string };

/** @returns the commit of the ref, and that of the batch if it has more now */
async function take(
  place: EditPlace,
  { tip, found, edits }: { tip: string; found: BatchTip; edits: NamedEdit[] },
): Promise<{ shown: string | null; commit?: string }> {
  const { task, repository, signal } = place;
  if (found.commit === null || edits.length === 0) return { shown: found.commit };
  if (found.below === tip) return { shown: found.commit, commit: found.commit };
  const commit = await commitEdits(place, tip, edits);
  const move = { taskId: task.taskId, commit, expected: found.commit };
  if (!(await repository.pushParts(move, signal))) throw editedAgain(place.batch);
  return { shown: commit, commit };
}

/**
 * The rows whose pages others changed: the batch may have another base since the page was shown.
 */
async function changedSince(
  { batch: { batchId }, repository, signal }: EditPlace,
  { tip, below, rows }: { tip: string; below: string; rows: RowAt[] },
): Promise<RowAt[]> {
  if (below === tip) return [];
  const [before, now] = await Promise.all(
    [below, tip].map((commit) => repository.tree({ commit, heldBy: batchId }, signal)),
  );
  const idIn = (tree: Tree, { path }: RowAt) => tree.entries.get(path)?.id;
  return rows.filter((row) => isMade(row) && idIn(before!, row) !== idIn(now!, row));
}

/**
 * Commits edits by hand onto a commit of the batch, each as a person's. @returns the last commit
 */
export async function commitEdits(
  { task, site, repository, signal }: EditPlace,
  tip: string,
  edits: NamedEdit[],
): Promise<string> {
  const { taskId } = task;
  let commit = tip;
  for (const { path, source, slug, at, editor } of edits)
    commit = await repository.commitPart(
      {
        taskId,
        base: { commit, heldBy: taskId },
        changes: [{ path, content: source }],
        message: `Edit ${slug} by hand`,
        author: site.author,
        createdAt: at,
        trailer: 'Agent-Task-Edit',
        editor,
      },
      signal,
    );
  return commit;
}

/** The step runs again then, and takes the edit over. */
export const editedAgain = ({ batchId }: Batch) =>
  new DomainError('GIT_FAILED', `Pages of ${batchId} were edited meanwhile`, { retryable: true });
