import { DomainError } from '../../errors.ts';
import { mergeBase, readCommit } from './history.ts';
import type { Store } from './store.ts';

/** What came into the production branch since some commit. */
interface Since {
  commits: Set<string>;
  /** Whether the branch has that commit. */
  isThere: boolean;
}

/** Commits of a task beyond which git is asked. */
const longest = 1_000;

/**
 * Finds what a task's result and the production branch last had in common, also while tasks are
 * merged onto that one after the other.
 * @param head the branch's
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
     * @param root the commit of the branch that the work began from
     * @param tip what was merged onto the head so far
     * @returns `commit` itself where it is merged already
     * @throws DomainError GIT_FAILED where the branch does not have `root` any more
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

    /** Tells that a result was merged: with all of its commits since the merge base. */
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
