import { DomainError } from '../../errors.ts';
import { mergeBase, readCommit } from './history.ts';
import type { Store } from './store.ts';

/** The commits that the production branch got since some commit. */
interface Since {
  commits: Set<string>;
  /** Whether the branch contains that commit. */
  isThere: boolean;
}

/** Commits of a task that are walked here; for longer tasks, git finds the merge base. */
const longest = 1_000;

/**
 * Finds merge bases of tasks' results and the production branch, also while several tasks are
 * merged one after the other.
 * @param head the branch's head
 */
export function createAncestry(store: Store, head: string, signal?: AbortSignal) {
  const known = new Map<string, Promise<Since>>([
    [head, Promise.resolve({ commits: new Set<string>(), isThere: true })],
  ]);
  const landed = new Set<string>();

  async function readSince(root: string): Promise<Since> {
    const lines = (await store.git(['rev-list', '--boundary', head, `^${root}`], { signal })).split(
      '\n',
    );
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
      const since = known.get(root) ?? readSince(root);
      known.set(root, since);
      const { commits, isThere } = await since;
      if (!isThere) throw rewritten();
      let at = commit;
      for (let steps = 0; at !== root && !commits.has(at) && !landed.has(at); steps++) {
        const { parents } = await readCommit(store, at);
        if (parents.length !== 1 || steps === longest) return mergeBase(store, tip, commit, signal);
        at = parents[0]!;
      }
      return at;
    },

    /** Records that a result was merged, with all of its commits since the merge base. */
    async land(base: string, commit: string): Promise<void> {
      for (let at = commit; at !== base;) {
        landed.add(at);
        [at = base] = (await readCommit(store, at)).parents;
      }
    },
  };
}

export const rewritten = () =>
  new DomainError(
    'GIT_FAILED',
    'The production branch was rewritten since the task began: its commits are gone',
  );
