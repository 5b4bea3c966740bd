import type { PageFile } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Repository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { blobAt } from './pageChanges.ts';

interface WentLive {
  siteId: string;
  /** The task that published. */
  taskId: string;
  commit: string;
  /** The commit's files. */
  tree: Tree;
  /** The pages that the task created, changed or deleted. */
  pages: PageFile[];
}

const ATTEMPTS = 20;

/**
 * Records that a task's pages went live with a commit. Others may have put a later one live
 * meanwhile: of that too it is told whether it has the pages. May be repeated.
 * @throws DomainError DEPLOYMENT_FAILED, retryable, if others were faster each time
 */
export async function recordPublication(
  { live, publications }: Pick<Deployments, 'live' | 'publications'>,
  repository: Pick<Repository, 'tree'>,
  { siteId, taskId, commit, tree, pages }: WentLive,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const now = (await live(siteId))?.commit;
    if (now === undefined) return; // the site was removed
    const { entries } =
      now === commit ? tree : await repository.tree({ commit: now, heldBy: null }, signal);
    const published = pages.map(({ path, slug }) => {
      const blob = blobAt(tree.entries, path);
      return { path, slug, blob, isLive: blobAt(entries, path) === blob };
    });
    if (await publications.record({ siteId, taskId, commit, live: now, pages: published })) return;
  }
  throw new DomainError(
    'DEPLOYMENT_FAILED',
    `Other deployments of the site went live each time after ${commit}`,
    {
      retryable: true,
    },
  );
}
