import type { EditCommit, Tree } from '../repository.ts';
import type { SiteClone } from '../siteClone.ts';
import { pushHidden } from '../remote/pushHidden.ts';
import { taskRef } from '../refNames.ts';
import { commitOnTree } from './taskCommit.ts';

/**
 * Commits an edit by hand on top of a task's result, with the trailer `Agent-Task-Edit: <taskId>`.
 * The trailer `Agent-Task` is not used: pages that only tasks made may be replaced by other tasks,
 * but people's edits must not be.
 * @param parent the files of the result
 * @returns the commit's id; `parent` if nothing changes; null if the task's ref has left `parent`
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitEdit(
  clone: SiteClone,
  edit: EditCommit,
  parent: Tree,
  signal?: AbortSignal,
): Promise<string | null> {
  const commit = await commitOnTree(clone, parent, { ...edit, trailer: 'Agent-Task-Edit' }, signal);
  if (commit === null) return parent.commit;
  const ref = taskRef(edit.taskId);
  const pushResult = await pushHidden(
    clone,
    { commit, ref, expected: parent.commit, name: ref },
    signal,
  );
  return pushResult === 'pushed' ? commit : null;
}
