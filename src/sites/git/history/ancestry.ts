import { DomainError } from '../../../errors.ts';
import { mergeBase, readCommit } from './commits.ts';
import type { CloneStore } from '../clones/cloneStore.ts';

/** The commits that the production branch got since a commit, the root. */
interface CommitsSince {
  commits: Set<string>;
  /** Whether the branch contains the root. */
  isThere: boolean;
}

/** Commits of a task that are walked here; for longer tasks, git finds the merge base. */
const MAX_WALKED_COMMITS = 1_000;

/**
 * Finds the merge base of a task's result and the production branch: the latest commit that both
 * contain. One `git rev-list` serves all results that began from the same commit, also while they
 * are merged one after the other.
 * @param headCommit the branch's head, before these merges
 */
export function createAncestry(store: CloneStore, headCommit: string, signal?: AbortSignal) {
  const sinceByRoot = new Map<string, Promise<CommitsSince>>([
    [headCommit, Promise.resolve({ commits: new Set<string>(), isThere: true })],
  ]);
  const landedCommits = new Set<string>();

  async function readSince(root: string): Promise<CommitsSince> {
    const lines = (
      await store.git(['rev-list', '--boundary', headCommit, `^${root}`], { signal })
    ).split('\n');
    return { commits: new Set(lines), isThere: lines.includes(`-${root}`) };
  }

  return {
    /**
     * The merge base of a result and what was merged so far.
     * @param root the commit of the branch that the work began from
     * @param tip the head with the merges so far
     * @returns `commit` itself if it is merged already
     * @throws DomainError GIT_FAILED if the branch no longer contains `root`
     */
    async mergeBase(
      tip: string,
      { root, commit }: { root: string; commit: string },
    ): Promise<string> {
      const since = sinceByRoot.get(root) ?? readSince(root);
      sinceByRoot.set(root, since);
      const { commits, isThere } = await since;
      if (!isThere) throw rewrittenBranchError();
      let current = commit;
      for (
        let steps = 0;
        current !== root && !commits.has(current) && !landedCommits.has(current);
        steps++
      ) {
        const { parents } = await readCommit(store, current);
        if (parents.length !== 1 || steps === MAX_WALKED_COMMITS)
          return mergeBase(store, tip, commit, signal);
        current = parents[0]!;
      }
      return current;
    },

    /** Records that a result was merged, with all of its commits since the merge base. */
    async land(base: string, commit: string): Promise<void> {
      let current = commit;
      for (let steps = 0; current !== base && steps < MAX_WALKED_COMMITS; steps++) {
        landedCommits.add(current);
        [current = base] = (await readCommit(store, current)).parents;
      }
    },
  };
}

export const rewrittenBranchError = () =>
  new DomainError(
    'GIT_FAILED',
    'The production branch was rewritten after the task began, and no longer contains the commits of the task. Create the task again',
  );
