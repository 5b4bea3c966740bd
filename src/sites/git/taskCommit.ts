import { DomainError } from '../../errors.ts';
import type { TaskCommit } from '../repository.ts';
import { planChanges } from './changes.ts';
import { readCommit, readRef } from './history.ts';
import { checkId } from './names.ts';
import { writeBlobs, writeCommit, writeTree } from './objects.ts';
import { fetchRef, pushRef, type Remote } from './remote.ts';
import type { Store } from './store.ts';
import { readTree } from './tree.ts';

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
  const { entries } = await readTree(store, task.base, root);
  const prefix = root === '' ? '' : `${root}/`;
  const changed = await writeBlobs(store, prefix, planChanges(entries, task.changes), signal);
  const tree = await writeTree(store, task.base, changed, signal);
  const before = (await store.git(['rev-parse', '--verify', `${task.base}^{tree}`], { signal })).trim();
  return tree === before ? task.base : writeCommit(store, { ...task, tree, parents: [task.base] }, signal);
}

function lost(ref: string): never {
  throw new DomainError('GIT_FAILED', `${ref} was there and is gone again`, { retryable: true });
}
