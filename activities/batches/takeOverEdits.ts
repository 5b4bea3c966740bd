import type { Batch } from '../../src/contract/batches/batch.ts';
import type { RowAtPath } from '../../src/contract/batches/batchStore.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { DomainError, hasErrorCode } from '../../src/errors.ts';
import { refuseUnapproved } from '../../src/sites/publishApproval.ts';
import type { BatchTip, HandEdit, GitRepository, Tree } from '../../src/sites/git/repository.ts';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { changedByOthersError } from './changedByOthers.ts';

type TakeOverDependencies = Pick<ActivityDependencies, 'batches' | 'approvals'>;

export interface BatchEditContext {
  task: TaskRef;
  site: SiteWithRepository;
  repository: GitRepository;
  batch: Batch;
  signal: AbortSignal;
}

/**
 * Takes over the edits that people saved by hand in a batch's preview. The editor saves them as
 * commits on the batch's hidden ref. A batch's `commit` has the pages that may be published, and
 * its `shown` is the commit of the hidden ref that the database knows. If the ref has another
 * commit, somebody edited a page. Edits of committed or published pages become part of the batch's
 * commit. All edits are stored, to be repeated if their pages are committed again. If others
 * changed an edited page meanwhile, its row fails. If the edits need an approval, this run
 * publishes nothing. Repeatable: until the database knows the ref's commit, a repeated call finds
 * the same edits. Throws PUSH_REFUSED, GIT_FAILED.
 * @returns the batch after the change
 */
export async function takeOverEdits(
  deps: TakeOverDependencies,
  { batch, ...context }: BatchEditContext,
): Promise<Batch> {
  const { batches } = deps;
  const { batchId, organizationId, base, commit, shown } = batch;
  const tip = commit ?? base!;
  const { repository, signal } = context;
  const fetchRequest = { taskId: batchId, tip, ...withoutUndefined({ shown }) };
  const batchTip = await repository.fetchBatch(fetchRequest, signal);
  if (batchTip.commit === (shown ?? null)) return batch;
  await keepUnapproved(deps, { batch, ...context }, batchTip);
  const editedPaths = batchTip.edits.map(({ path }) => path);
  const rows = (await batches.at(batchId, editedPaths)).filter(hasPage);
  const editAtPath = (path: string) => batchTip.edits.find((edit) => edit.path === path)!;
  const storedEdits = rows.map(({ number, path }) => {
    const { source, at, editor } = editAtPath(path);
    return { number, edit: { source, at, ...withoutUndefined({ editor }) } };
  });
  await batches.keepEdits(batchId, storedEdits);
  const changedRows = await changedSince(
    { batch, ...context },
    { tip, uneditedCommit: batchTip.uneditedCommit, rows },
  );
  await batches.yieldToProduction(batchId, {
    rows: changedRows.map((row) => changedByOthersError({ ...row, isEdited: true })),
  });
  const editedRows = rows.filter((row) => isCommitted(row) && !changedRows.includes(row));
  const edits = editedRows.map((row) => ({ ...editAtPath(row.path), slug: row.slug }));
  const takenCommits = await commitTakenEdits({ batch, ...context }, { tip, batchTip, edits });
  await batches.takeOver(batchId, {
    ...takenCommits,
    edited: editedRows.map(({ number }) => number),
  });
  return batches.find(organizationId, batchId);
}

/**
 * Makes the run leave the pages unpublished if the site needs an approval, and somebody edited a
 * page after the approval.
 */
async function keepUnapproved(
  { batches, approvals }: TakeOverDependencies,
  { batch: { batchId, publish }, site }: BatchEditContext,
  { commit }: BatchTip,
): Promise<void> {
  if (!publish || commit === null) return;
  try {
    await refuseUnapproved({ approvals }, site, { commit, retainedBy: batchId });
  } catch (error) {
    if (!hasErrorCode(error, 'APPROVAL_REQUIRED')) throw error;
    await batches.change(batchId, { publish: false });
  }
}

/** Whether a row has a page. One whose repair was undone has none: the undo is no edit of it. */
const hasPage = ({ state }: RowAtPath) => state !== 'waiting' && state !== 'failed';

const isCommitted = ({ state }: RowAtPath) => state === 'committed' || state === 'published';

type NamedEdit = HandEdit & { slug: string };

/** Commits the edits. @returns the ref's commit, and the batch's commit if the edits changed it */
async function commitTakenEdits(
  context: BatchEditContext,
  { tip, batchTip, edits }: { tip: string; batchTip: BatchTip; edits: NamedEdit[] },
): Promise<{ shown: string | null; commit?: string }> {
  const { task, repository, signal } = context;
  if (batchTip.commit === null) return { shown: null };
  // an undo may also have removed pages, which are no edits
  if (batchTip.uneditedCommit === tip) return { shown: batchTip.commit, commit: batchTip.commit };
  if (edits.length === 0) return { shown: batchTip.commit };
  const commit = await commitEdits(context, tip, edits);
  const refMove = { taskId: task.taskId, commit, expected: batchTip.commit };
  if (!(await repository.pushBatch(refMove, signal))) throw editedAgain(context.batch);
  return { shown: commit, commit };
}

/** The rows whose pages changed after the preview: the batch may have another base since then. */
async function changedSince(
  { batch: { batchId }, repository, signal }: BatchEditContext,
  { tip, uneditedCommit, rows }: { tip: string; uneditedCommit: string; rows: RowAtPath[] },
): Promise<RowAtPath[]> {
  if (uneditedCommit === tip) return [];
  const [treeBefore, currentTree] = await Promise.all(
    [uneditedCommit, tip].map((commit) => repository.tree({ commit, retainedBy: batchId }, signal)),
  );
  const blobIdOf = (tree: Tree, { path }: RowAtPath) => tree.entries.get(path)?.id;
  return rows.filter(
    (row) => isCommitted(row) && blobIdOf(treeBefore!, row) !== blobIdOf(currentTree!, row),
  );
}

/**
 * Commits edits by hand on top of a commit of the batch, each in the name of its editor.
 * @returns the last commit
 */
export async function commitEdits(
  { task, site, repository, signal }: BatchEditContext,
  tip: string,
  edits: NamedEdit[],
): Promise<string> {
  const { taskId } = task;
  let commit = tip;
  for (const { path, source, slug, at, editor } of edits)
    commit = await repository.commitBatch(
      {
        taskId,
        base: { commit, retainedBy: taskId },
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

/** The error if somebody edits a page during a commit. The next attempt takes over the edit. */
export const editedAgain = ({ batchId }: Batch) =>
  new DomainError(
    'GIT_FAILED',
    `Pages of the batch ${batchId} were edited while they were being committed`,
    { retryable: true },
  );
