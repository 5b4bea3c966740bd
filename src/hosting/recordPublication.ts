import type { PageFile } from '../contract/site.ts';
import type { GitRepository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { blobAt } from './pageChanges.ts';
import { repeatCompareAndSet } from './repeatCompareAndSet.ts';

interface PublicationRecord {
  siteId: string;
  /** The task that published. */
  taskId: string;
  commit: string;
  /** The commit's files. */
  tree: Tree;
  /** The pages that the task created, changed or deleted. */
  pages: PageFile[];
}

/**
 * Records that a task's pages went live with a commit, and whether the commit that is live now
 * still has them: another deployment may have gone live meanwhile. Repeatable.
 * @throws DomainError DEPLOYMENT_FAILED, retryable, if other deployments were faster each time
 */
export async function recordPublication(
  { live, publications }: Pick<Deployments, 'live' | 'publications'>,
  repository: Pick<GitRepository, 'tree'>,
  { siteId, taskId, commit, tree, pages }: PublicationRecord,
  signal?: AbortSignal,
): Promise<void> {
  const failure = `Other deployments of the site went live after ${commit} at each attempt`;
  await repeatCompareAndSet(failure, async () => {
    const liveCommit = (await live(siteId))?.commit;
    if (liveCommit === undefined) return true; // the site was removed
    const { entries } =
      liveCommit === commit
        ? tree
        : await repository.tree({ commit: liveCommit, retainedBy: null }, signal);
    const publishedPages = pages.map(({ path, slug }) => {
      const blob = blobAt(tree.entries, path);
      return { path, slug, blob, isLive: blobAt(entries, path) === blob };
    });
    return publications.record({ siteId, taskId, commit, live: liveCommit, pages: publishedPages });
  });
}
