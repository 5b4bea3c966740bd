import type { ResultCommit } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Clone } from './clone.ts';
import type { TaskCommit } from './repository.ts';
import { isAncestor, readCommit, readRef } from './history.ts';
import { baseRef, checkObjectId, taskRef } from './names.ts';
import { writeChanges, writeCommit } from './objects.ts';
import { fetchRef } from './fetch.ts';
import { pushRef } from './remote.ts';

/**
 * The task's commit as the remote has it, null if there is none.
 * @throws DomainError CONFLICT if its parent is not `base` or its trailer names another task
 */
export async function findTaskCommit(
  clone: Clone,
  task: { taskId: string; base: string },
  signal?: AbortSignal,
): Promise<string | null> {
  const { store } = clone;
  const ref = taskRef(task.taskId);
  if (!(await fetchRef(clone, { from: ref, to: ref }, signal))) return null;
  const commit = await readRef(store, ref, signal);
  const found = commit === null ? undefined : await readCommit(store, commit, signal);
  if (found?.taskId !== task.taskId || found.parents.length !== 1 || found.parents[0] !== task.base)
    throw new DomainError(
      'CONFLICT',
      `The repository has another commit under ${ref}: its parent or trailer does not match`,
    );
  return commit;
}

/**
 * The commit of a task's hidden ref at the remote: its result, or what was edited on top of it since.
 * @throws DomainError GIT_FAILED if the ref is gone, or has not got the result in it
 */
export async function fetchResult(clone: Clone, result: ResultCommit, signal?: AbortSignal): Promise<string> {
  const { store } = clone;
  const ref = taskRef(result.heldBy);
  const isThere = await fetchRef(clone, { from: ref, to: ref }, signal);
  const commit = isThere ? await readRef(store, ref, signal) : null;
  if (commit === null || !(await isAncestor(store, checkObjectId(result.commit), commit, signal)))
    throw new DomainError('GIT_FAILED', `The repository does not have the result of ${result.heldBy} any more`);
  return commit;
}

/**
 * Writes the task's commit and pushes it under the task's hidden ref. Harmless to repeat: the same input makes the same
 * commit, and one that the remote has already is taken.
 * @returns the commit's id; that of `base` if the changes change nothing
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitTask(clone: Clone, task: TaskCommit, signal?: AbortSignal): Promise<string> {
  const { taskId } = task;
  const base = task.base.commit;
  const commit = await writeTaskCommit(clone, task, signal);
  if (commit === base) return commit;
  const ref = taskRef(taskId);
  const pushed = await pushRef(clone, { commit, ref, expected: '', name: ref }, signal);
  if (pushed === 'moved') return (await findTaskCommit(clone, { taskId, base }, signal)) ?? lost(ref);
  // the commit has its base from now on
  const input = `update ${ref} ${commit}\ndelete ${baseRef(taskId)}\n`;
  await clone.store.git(['update-ref', '--stdin'], { input, signal });
  return commit;
}

async function writeTaskCommit(clone: Clone, task: TaskCommit, signal?: AbortSignal): Promise<string> {
  const base = task.base.commit;
  const tree = await writeChanges(clone, { base, changes: task.changes }, signal);
  return tree === null ? base : writeCommit(clone.store, { ...task, tree, parents: [base] }, signal);
}

function lost(ref: string): never {
  throw new DomainError('GIT_FAILED', `${ref} was there and is gone again`, { retryable: true });
}
