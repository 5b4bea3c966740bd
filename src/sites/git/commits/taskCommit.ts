import type { ResultCommit } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import type { SiteClone } from '../siteClone.ts';
import { diffTrees, orderNewEntries } from '../trees/mergeByFile.ts';
import type {
  BatchMove,
  BatchTip,
  RestoringCommit,
  TaskCommit,
  ProductionVersionCommit,
  Tree,
} from '../repository.ts';
import { readHandEdits } from '../history/handEdits.ts';
import { isAncestor, readCommit } from '../history/commits.ts';
import { baseRef, checkObjectId, taskRef } from '../refNames.ts';
import { type NewCommit, writeChanges, writeCommit, writeTree } from '../trees/writeObjects.ts';
import { fetchRef } from '../remote/fetchRef.ts';
import { pushHidden } from '../remote/pushHidden.ts';
import { spliceEntries } from '../trees/dataFiles.ts';
import { applyTreeChanges, createTree } from '../trees/readTree.ts';

/*
 * The commits of tasks and batches. A task's result is one commit with the trailer
 * `Agent-Task: <taskId>`, whose parent is the commit that the task began from. It is pushed to the
 * remote as `refs/agent-tasks/<taskId>` (its hidden ref), where no host builds it. A batch has
 * several commits under its own hidden ref.
 */

/**
 * The task's commit at the remote; null if there is none.
 * @throws DomainError CONFLICT if its parent is not `base` or its trailer names another task
 */
export async function findTaskCommit(
  clone: SiteClone,
  task: { taskId: string; base: string },
  signal?: AbortSignal,
): Promise<string | null> {
  const commit = await fetchTask(clone, task.taskId, signal);
  if (commit === null) return null;
  const { taskId, parents } = await readCommit(clone.store, commit);
  if (taskId !== task.taskId || parents.length !== 1 || parents[0] !== task.base)
    throw new DomainError(
      'CONFLICT',
      `${taskRef(task.taskId)} points to a commit with another parent or trailer than this task's commit has`,
    );
  return commit;
}

function fetchTask(clone: SiteClone, taskId: string, signal?: AbortSignal): Promise<string | null> {
  const ref = taskRef(taskId);
  return fetchRef(clone, { from: ref, to: [ref] }, signal);
}

/**
 * The commit of a task's hidden ref at the remote: the result, or the last edit of the result.
 * @throws DomainError GIT_FAILED if the ref is gone, or does not contain the result
 */
export async function fetchResult(
  clone: SiteClone,
  result: ResultCommit,
  signal?: AbortSignal,
): Promise<string> {
  const commit = await fetchTask(clone, result.retainedBy, signal);
  const id = checkObjectId(result.commit);
  if (commit === null || !(await isAncestor(clone.store, id, commit, signal)))
    throw new DomainError(
      'GIT_FAILED',
      `The repository no longer contains the result of ${result.retainedBy}. Create the task again`,
    );
  return commit;
}

/**
 * Writes the task's commit and pushes it under the task's hidden ref. Repeatable: the same input
 * makes the same commit, and a commit that the remote has already is accepted.
 * @param base the files of the commit that the task began from
 * @returns the commit's id; that of `base` if nothing changes
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitTask(
  clone: SiteClone,
  task: TaskCommit,
  base: Tree,
  signal?: AbortSignal,
): Promise<string> {
  const commit = await commitOnTree(clone, base, task, signal);
  return commit === null ? base.commit : pushTaskCommit(clone, { ...task, commit }, base, signal);
}

/**
 * Like `commitTask`, with the files of an earlier commit. Makes a commit even if nothing changes.
 * @returns the commit's id
 */
export async function commitRestoring(
  clone: SiteClone,
  task: RestoringCommit,
  { base, earlier }: { base: Tree; earlier: Tree },
  signal?: AbortSignal,
): Promise<string> {
  const { store, trees } = clone;
  const differences = await diffTrees(base, earlier, signal);
  const tree = await writeTree(clone, base.commit, [...differences.values()]);
  const commit = await writeCommit(store, { ...task, tree, parents: [base.commit] });
  trees.keep(createTree(store, commit, earlier.entries));
  return pushTaskCommit(clone, { ...task, commit }, base, signal);
}

/**
 * Writes a commit that gives some files production's versions, without a push.
 * @param files.theirs production's files; a path that is missing there is deleted
 * @returns the commit's id
 */
export async function commitProductionVersions(
  clone: SiteClone,
  { paths, ...batchCommit }: Omit<ProductionVersionCommit, 'base' | 'theirs'>,
  { base, theirs }: { base: Tree; theirs: Tree },
): Promise<string> {
  const changes = paths.flatMap((path) => {
    const baseEntry = base.entries.get(path);
    const entry = theirs.entries.get(path) ?? (baseEntry && { ...baseEntry, id: null });
    return entry ? [entry] : [];
  });
  const orderedChanges = orderNewEntries(changes, { task: theirs, target: base });
  const entries = await spliceEntries(clone, base, orderedChanges);
  const { store, siteLimits, trees } = clone;
  const tree = await writeTree(clone, base.commit, entries);
  const commit = await writeCommit(store, { ...batchCommit, tree, parents: [base.commit] });
  trees.keep(createTree(store, commit, applyTreeChanges(base, entries, siteLimits)));
  return commit;
}

async function pushTaskCommit(
  clone: SiteClone,
  { taskId, commit }: { taskId: string; commit: string },
  base: Tree,
  signal?: AbortSignal,
): Promise<string> {
  const ref = taskRef(taskId);
  // the commit keeps its parent, so the base's ref is not needed
  const push = { commit, ref, expected: '', name: ref, needless: baseRef(taskId) };
  if ((await pushHidden(clone, push, signal)) === 'pushed') return commit;
  const findCommit = () => findTaskCommit(clone, { taskId, base: base.commit }, signal);
  const existingCommit = await clone.store.exclusive(findCommit, signal);
  if (existingCommit !== null) return existingCommit;
  throw new DomainError('GIT_FAILED', `${ref} existed during the push and was then deleted`, {
    retryable: true,
  });
}

/**
 * Moves a batch's hidden ref from one commit to another, with a lease, because people may edit the
 * batch's pages at the same time.
 * @returns whether the ref is at the new commit; false if it was at neither of the two
 * @throws DomainError PUSH_REFUSED, GIT_FAILED
 */
export async function pushBatchRef(
  clone: SiteClone,
  { taskId, commit, expected }: BatchMove,
  signal?: AbortSignal,
): Promise<boolean> {
  if (expected === commit) return true;
  const ref = taskRef(taskId);
  const push = { commit, ref, expected: expected ?? '', name: ref };
  return (await pushHidden(clone, push, signal)) === 'pushed';
}

/**
 * The commit of a batch's hidden ref at the remote, with the edits by hand that came last.
 * @throws DomainError GIT_FAILED, PAGE_UNREADABLE
 */
export async function fetchBatchRef(
  clone: SiteClone,
  batch: { taskId: string; tip: string; shown?: string },
  signal?: AbortSignal,
): Promise<BatchTip> {
  const commit = await clone.store.exclusive(() => fetchTask(clone, batch.taskId, signal), signal);
  if (commit === null) return { commit, edits: [], uneditedCommit: batch.tip };
  return { commit, ...(await readHandEdits(clone, batch, commit, signal)) };
}

/**
 * Writes a commit with some files changed, without a push, and caches its tree. It needs no lock,
 * because new objects affect no other work.
 * @param base the files of the parent commit
 * @returns the commit's id; null if nothing changes
 */
export async function commitOnTree(
  clone: SiteClone,
  base: Tree,
  { changes, ...commit }: Pick<TaskCommit, 'changes'> & Omit<NewCommit, 'tree' | 'parents'>,
  signal?: AbortSignal,
): Promise<string | null> {
  const { store, trees } = clone;
  const writtenTree = await writeChanges(clone, base, changes, signal);
  if (writtenTree === null) return null;
  const id = await writeCommit(store, {
    ...commit,
    tree: writtenTree.tree,
    parents: [base.commit],
  });
  trees.keep(createTree(store, id, writtenTree.entries));
  return id;
}
