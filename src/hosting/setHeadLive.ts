import type { Repository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { blobsOf, pageChanges } from './pageChanges.ts';

/** Names of deployments that were not made by a task. */
const names = { first: 'As the site was added', later: 'Pushed by hand' };

interface HeadLive {
  siteId: string;
  /** The head of the production branch. */
  commit: string;
  /** Its files. */
  tree: Tree;
  /** The commit that the caller expects to be live; null for none. */
  expected: string | null;
}

/**
 * Makes the head of the branch live if `expected` still is the live commit. Compares every page
 * that was ever live, because the branch may have been rewritten, or the site moved to another
 * folder.
 * @returns false if another commit is live
 */
export async function setHeadLive(
  { setLive, publications }: Pick<Deployments, 'setLive' | 'publications'>,
  repository: Pick<Repository, 'tree'>,
  { siteId, commit, tree, expected }: HeadLive,
): Promise<boolean> {
  const before =
    expected === null
      ? null
      : await repository.tree({ commit: expected, heldBy: null }).catch(() => null);
  const { pages } = pageChanges(before, tree);
  const changed = expected === null ? [] : blobsOf(tree, await publications.paths(siteId));
  const name = expected === null ? names.first : names.later;
  return setLive({ siteId, commit, taskId: null, name, restores: null, expected, pages, changed });
}
