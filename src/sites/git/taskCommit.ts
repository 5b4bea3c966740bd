import { DomainError } from '../../errors.ts';
import type { TaskCommit } from './repository.ts';
import { isAncestor, readCommit, readRef } from './history.ts';
import { checkId, checkObjectId } from './names.ts';
import { writeChanges, writeCommit } from './objects.ts';
import { fetchRef, pushRef, type Remote } from './remote.ts';
import type { Store } from './store.ts';

/** The hidden ref of a task's commit, here and at the remote: no host starts a build for it. */
export const taskRef = (taskId: string) => `refs/agent-tasks/${checkId(taskId)}`;

/**
 * The task's commit as the remote has it, null if there is none.
 * @throws DomainError CONFLICT if its parent is not `base` or its trailer names another task
 */
export async function findTaskCommit(
  store: Store,
  remote: Remote,
  task: { taskId: string; base: string },
  signal?: AbortSignal,
): Promise<string | null> {
  const ref = taskRef(task.taskId);
  if (!(await fetchRef(store, remote, { from: ref, to: ref }, { signal }))) return null;
  const commit = await readRef(store, ref);
  const found = commit === null ? undefined : await readCommit(store, commit);
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
export async function fetchResult(
  store: Store,
  remote: Remote,
  result: { taskId: string; commit: string },
  signal?: AbortSignal,
): Promise<string> {
  const ref = taskRef(result.taskId);
  const isThere = await fetchRef(store, remote, { from: ref, to: ref }, { signal });
  const commit = isThere ? await readRef(store, ref) : null;
  if (commit === null || !(await isAncestor(store, checkObjectId(result.commit), commit)))
    throw new DomainError('GIT_FAILED', `The repository does not have the result of ${result.taskId} any more`);
  return commit;
}

/**
 * Writes the task's commit and pushes it under the task's hidden ref. Harmless to repeat: the same input makes the same commit,
 * and one that the remote has already is taken.
 * @param root '' or the folder of the site's pages
 * @returns the commit's id; `base` if the changes change nothing
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitTask(
  store: Store,
  remote: Remote,
  root: string,
  task: TaskCommit,
  signal?: AbortSignal,
): Promise<string> {
  const commit = await writeTaskCommit(store, root, task, signal);
  if (commit === task.base) return commit;
  const ref = taskRef(task.taskId);
  const pushed = await pushRef(store, remote, { commit, ref, expected: '', name: ref }, signal);
  if (pushed === 'moved') return (await findTaskCommit(store, remote, task, signal)) ?? lost(ref);
  await store.git(['update-ref', ref, commit], { signal });
  return commit;
}

async function writeTaskCommit(store: Store, root: string, task: TaskCommit, signal?: AbortSignal): Promise<string> {
  const tree = await writeChanges(store, root, { base: task.base, changes: task.changes }, signal);
  return tree === null ? task.base : writeCommit(store, { ...task, tree, parents: [task.base] }, signal);
}

function lost(ref: string): never {
  throw new DomainError('GIT_FAILED', `${ref} was there and is gone again`, { retryable: true });
}
