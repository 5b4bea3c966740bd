import { DomainError } from '../errors.ts';
import type { Repository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import type { GoingLive } from '../storage/liveDeployments.ts';
import { pageChanges } from './pageChanges.ts';
import { repeatCompareAndSet } from './repeatCompareAndSet.ts';

interface GoLive extends Pick<GoingLive, 'siteId' | 'name' | 'restores' | 'commit'> {
  taskId: string;
  /** The commit's files. */
  tree: Tree;
}

/**
 * Moves a site's live pointer to a commit, by compare-and-set. The commit must descend from the
 * live one. Does nothing if a descendant of the commit is live already. The repository first gets a
 * ref to the commit, because the branch may be rewritten at any time.
 * @throws DomainError DEPLOYMENT_FAILED if the live commit has other changes; retryable if other
 *   deployments were faster each time
 */
export async function goLive(
  deployments: Deployments,
  repository: Repository,
  { tree, ...change }: GoLive,
  signal?: AbortSignal,
): Promise<void> {
  const isAncestor = (ancestor: string, commit: string) =>
    repository.isAncestor(onBranch(ancestor), onBranch(commit), signal);
  const failure = `Other deployments of the site went live each time before ${change.commit}`;
  await repeatCompareAndSet(failure, async () => {
    const expected = (await deployments.live(change.siteId))?.commit ?? null;
    if (expected === change.commit) return true;
    if (expected !== null && !(await isAncestor(expected, change.commit))) {
      if (await isAncestor(change.commit, expected)) return true;
      throw diverged(change, expected);
    }
    await repository.hold(onBranch(change.commit), signal);
    const before = expected === null ? null : await repository.tree(onBranch(expected), signal);
    return deployments.setLive({ ...change, ...pageChanges(before, tree), expected });
  });
}

/** Every published commit is on the production branch. */
const onBranch = (commit: string) => ({ commit, heldBy: null });

function diverged({ commit }: Pick<GoLive, 'commit'>, live: string) {
  return new DomainError(
    'DEPLOYMENT_FAILED',
    `Commit ${commit.slice(0, 10)} does not build on the live commit ${live.slice(0, 10)}: the production branch was rewritten (an operator can put it live with \`site deploy\`)`,
  );
}
