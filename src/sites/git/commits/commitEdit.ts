import type { EditCommit, Tree, UpdateCommit } from '../repository.ts';
import type { SiteClone } from '../siteClone.ts';
import { isAncestor, mergeBase } from '../history/commits.ts';
import { pushHidden } from '../remote/pushHidden.ts';
import { taskRef } from '../refNames.ts';
import { diffTrees } from '../trees/mergeByFile.ts';
import { writeCommit, writeTree } from '../trees/writeObjects.ts';
import { createTree } from '../trees/readTree.ts';
import { writeMerge } from './mergeCommit.ts';
import { commitOnTree } from './taskCommit.ts';

const trailer = 'Agent-Task-Edit';

interface EditTrees {
  /** The files of the result, before the edit. */
  parent: Tree;
  /** The files that the result gets again, if the edit restores an earlier version. */
  restored?: Tree | undefined;
}

/**
 * Commits a version of a task's result, such as a person's edit, with the trailer
 * `Agent-Task-Edit: <taskId>`. It does not get the trailer `Agent-Task`, because other tasks may
 * replace pages that only tasks made, but not what people decided.
 * @returns the commit's id; that of `parent` if nothing changes; null if the task's ref no longer
 *   points to `parent`
 * @throws DomainError CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED
 */
export async function commitEdit(
  clone: SiteClone,
  edit: EditCommit,
  { parent, restored }: EditTrees,
  signal?: AbortSignal,
): Promise<string | null> {
  const commit = restored
    ? await commitRestored(clone, edit, { parent, restored })
    : await commitOnTree(clone, parent, { ...edit, changes: writtenFiles(edit), trailer }, signal);
  return commit === null ? parent.commit : pushVersion(clone, edit, commit, signal);
}

const writtenFiles = ({ changes }: EditCommit) => ('restored' in changes ? [] : changes);

async function commitRestored(
  clone: SiteClone,
  edit: EditCommit,
  { parent, restored }: Required<EditTrees>,
): Promise<string> {
  const differences = await diffTrees(parent, restored!);
  const tree = await writeTree(clone, parent.commit, [...differences.values()]);
  const commit = await writeCommit(clone.store, {
    ...edit,
    trailer,
    tree,
    parents: [parent.commit],
  });
  clone.trees.keep(createTree(clone.store, commit, restored!.entries));
  return commit;
}

/** Merges another commit into a task's result: see `GitRepository.commitUpdate`. */
export async function commitUpdate(
  clone: SiteClone,
  update: UpdateCommit,
  signal?: AbortSignal,
): Promise<string | null> {
  const { store } = clone;
  const { parent, commit: otherCommit } = update;
  if (await isAncestor(store, otherCommit, parent, signal)) return parent;
  const base = await mergeBase(store, parent, otherCommit, signal);
  if (base === parent) return parent;
  const commit = await writeMerge(clone, parent, { ...update, trailer, base }, signal);
  return pushVersion(clone, update, commit, signal);
}

/** @returns the commit; null if the ref no longer points to its parent, or exists already */
async function pushVersion(
  clone: SiteClone,
  { taskId, parent, isFirst = false }: Pick<EditCommit, 'taskId' | 'parent' | 'isFirst'>,
  commit: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const ref = taskRef(taskId);
  const push = { commit, ref, expected: isFirst ? '' : parent, name: ref };
  return (await pushHidden(clone, push, signal)) === 'pushed' ? commit : null;
}
