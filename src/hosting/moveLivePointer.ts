import { DomainError } from '../errors.ts';
import type { GitRepository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import type { LiveDeploymentChange } from '../storage/liveDeployments.ts';
import { comparePages } from './pageChanges.ts';
import { repeatCompareAndSet } from './repeatCompareAndSet.ts';

interface LiveChange extends Pick<LiveDeploymentChange, 'siteId' | 'name' | 'restores' | 'commit'> {
  taskId: string;
  /** The commit's files. */
  tree: Tree;
}

/**
 * Moves a site's live pointer, the record of which commit is live, to a commit by compare-and-set.
 * The commit must descend from the live one. Does nothing if a descendant of the commit is live
 * already. The repository first gets a ref to the commit, because the branch may be rewritten.
 * @throws DomainError DEPLOYMENT_FAILED if the live commit has other changes; retryable if other
 *   deployments were faster each time
 */
export async function moveLivePointer(
  deployments: Deployments,
  repository: GitRepository,
  { tree, ...change }: LiveChange,
  signal?: AbortSignal,
): Promise<void> {
  const isAncestor = (ancestor: string, commit: string) =>
    repository.isAncestor(retainedByBranch(ancestor), retainedByBranch(commit), signal);
  const failure = `Other deployments of the site went live before ${change.commit} at each attempt`;
  await repeatCompareAndSet(failure, async () => {
    const expected = (await deployments.live(change.siteId))?.commit ?? null;
    if (expected === change.commit) return true;
    if (expected !== null && !(await isAncestor(expected, change.commit))) {
      if (await isAncestor(change.commit, expected)) return true;
      throw divergedError(change, expected);
    }
    await repository.hold(retainedByBranch(change.commit), signal);
    const treeBefore =
      expected === null ? null : await repository.tree(retainedByBranch(expected), signal);
    return deployments.setLive({ ...change, ...comparePages(treeBefore, tree), expected });
  });
}

/** Every published commit is on the production branch. */
const retainedByBranch = (commit: string) => ({ commit, retainedBy: null });

function divergedError({ commit }: Pick<LiveChange, 'commit'>, liveCommit: string) {
  return new DomainError(
    'DEPLOYMENT_FAILED',
    `Commit ${commit.slice(0, 10)} does not build on the live commit ${liveCommit.slice(0, 10)}, because the production branch was rewritten. An operator can deploy it with \`site deploy\``,
  );
}
