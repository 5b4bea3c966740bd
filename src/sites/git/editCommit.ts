import type { EditCommit } from './repository.ts';
import type { Clone } from './clone.ts';
import { taskRef } from './names.ts';
import { writeChanges, writeCommit } from './objects.ts';
import { pushRef } from './remote.ts';

/**
 * Puts a change by hand on top of a task's result, with the trailer `Agent-Task-Edit: <taskId>`: by `Agent-Task` alone
 * a page counts as made by a task and may be replaced by another one, and what people wrote is not.
 * @returns the commit's id; `parent` where nothing changes; null where the task's ref is no longer at `parent`
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitEdit(clone: Clone, edit: EditCommit, signal?: AbortSignal): Promise<string | null> {
  const { store } = clone;
  const { taskId, parent, changes } = edit;
  const tree = await writeChanges(clone, { base: parent, changes }, signal);
  if (tree === null) return parent;
  const commit = await writeCommit(store, { ...edit, tree, parents: [parent], trailer: 'Agent-Task-Edit' }, signal);
  const ref = taskRef(taskId);
  if ((await pushRef(clone, { commit, ref, expected: parent, name: ref }, signal)) === 'moved') return null;
  await store.git(['update-ref', ref, commit], { signal });
  return commit;
}
