import { DomainError } from '../../errors.ts';
import { gitFailure } from './failure.ts';
import type { Store } from './store.ts';

const trailer = '%(trailers:key=Agent-Task,valueonly,separator=%x0A)';

/** Whether a commit is in this repository. */
export async function hasCommit(store: Store, id: string, signal?: AbortSignal): Promise<boolean> {
  return (await store.tryGit({ args: ['cat-file', '-e', `${id}^{commit}`], signal })).code === 0;
}

/** The commit that a ref of ours points to, null if there is none. */
export async function readRef(store: Store, ref: string, signal?: AbortSignal): Promise<string | null> {
  const result = await store.tryGit({ args: ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], signal });
  if (result.code < 0 || result.code > 1) throw gitFailure(`Reading ${ref}`, result);
  return result.stdout.toString().trim() || null;
}

export async function isAncestor(
  store: Store,
  ancestor: string,
  commit: string,
  signal?: AbortSignal,
): Promise<boolean> {
  if (ancestor === commit) return true;
  const result = await store.tryGit({ args: ['merge-base', '--is-ancestor', ancestor, commit], signal });
  if (result.code < 0 || result.code > 1) throw gitFailure('Comparing two commits', result);
  return result.code === 0;
}

/**
 * The commit that a task's result and the production branch's head last had in common.
 * @param root the commit of the branch that the work began from
 * @throws DomainError GIT_FAILED where the branch does not have it any more
 */
export async function mergeBase(
  store: Store,
  { root, commit, head }: { root: string; commit: string; head: string },
  signal?: AbortSignal,
): Promise<string> {
  if (!(await isAncestor(store, root, head, signal)))
    throw new DomainError(
      'GIT_FAILED',
      'The production branch was rewritten since the task began: its commits are gone',
    );
  return (await store.git(['merge-base', head, commit], { signal })).trim();
}

/** A commit's parents and the task that its message names, null without one. */
export async function readCommit(
  store: Store,
  id: string,
  signal?: AbortSignal,
): Promise<{ parents: string[]; taskId: string | null }> {
  const text = await store.git(['log', '-1', '--no-show-signature', `--format=%P%n${trailer}`, id, '--'], { signal });
  const [parents = '', ...trailers] = text.trimEnd().split('\n');
  return { parents: parents.split(' ').filter(Boolean), taskId: trailers.at(-1) || null };
}

/** Whether tasks made a file and changed it last. The path is from the repository's top. */
export async function isMadeByTask(store: Store, commit: string, path: string, signal?: AbortSignal): Promise<boolean> {
  const isByTask = async (...which: string[]) => {
    const args = ['log', '-1', ...which, '--no-show-signature', `--format=${trailer}`, commit, '--', path];
    return (await store.git(args, { signal })).trim() !== '';
  };
  return (await isByTask()) && (await isByTask('--diff-filter=A'));
}
