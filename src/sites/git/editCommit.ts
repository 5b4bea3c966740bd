import type { EditCommit } from './repository.ts';
import { writeChanges, writeCommit } from './objects.ts';
import { pushRef, type Remote } from './remote.ts';
import type { Store } from './store.ts';
import { taskRef } from './taskCommit.ts';

/**
 * Puts a change by hand on top of a task's result, with the trailer `Agent-Task-Edit: <taskId>`: by `Agent-Task` alone a page counts as
 * made by a task and may be replaced by another one, and what people wrote is not.
 * @param root '' or the folder of the site's pages
 * @returns the commit's id; `parent` where nothing changes; null where the task's ref is no longer at `parent`
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitEdit(
  store: Store,
  remote: Remote,
  root: string,
  edit: EditCommit,
  signal?: AbortSignal,
): Promise<string | null> {
  const { taskId, parent, changes } = edit;
  const tree = await writeChanges(store, root, { base: parent, changes }, signal);
  if (tree === null) return parent;
  const commit = await writeCommit(store, { ...edit, tree, parents: [parent], trailer: 'Agent-Task-Edit' }, signal);
  const ref = taskRef(taskId);
  if ((await pushRef(store, remote, { commit, ref, expected: parent, name: ref }, signal)) === 'moved') return null;
  await store.git(['update-ref', ref, commit], { signal });
  return commit;
}
