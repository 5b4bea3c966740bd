import type { EditCommit, Tree } from '../repository.ts';
import type { SiteClone } from '../siteClone.ts';
import { pushHidden } from '../remote/pushHidden.ts';
import { taskRef } from '../refNames.ts';
import { commitOnTree } from './taskCommit.ts';

/**
 * Commits a person's edit of a task's result, with the trailer `Agent-Task-Edit: <taskId>`. It does
 * not get the trailer `Agent-Task`, because other tasks may replace pages that only tasks made, but
 * not people's edits.
 * @param parent the files of the result, before the edit
 * @returns the commit's id; that of `parent` if nothing changes; null if the task's ref no longer
 *   points to `parent`
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
