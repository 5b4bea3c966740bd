import { dirname } from 'node:path';
import { DomainError } from '../../../errors.ts';
import type { GitRunner } from '../command/git.ts';
import type { Remote } from '../siteClone.ts';

/** git's untranslated refusal of a push to a checked-out branch. */
export const isCheckedOutReason = (reason: string | undefined) =>
  reason === 'branch is currently checked out';

/** Tells operators how to make a checked-out branch take pushes. */
export const checkedOutRemedy =
  'Use a bare clone of the repository (`git clone --bare`), or run ' +
  '`git config receive.denyCurrentBranch updateInstead` in it';

/**
 * Refuses a local repository (a `file:` URL) whose production branch is checked out in a work tree,
 * because git would refuse every push to it. Ignores a repository that can't be read from here: the
 * first fetch or push reports that problem.
 * @throws DomainError PUSH_REFUSED with what to do
 */
export async function refuseCheckedOut(git: GitRunner, { url, branch }: Remote): Promise<void> {
  const path = localPath(url);
  if (path === null) return;
  // git accepts the path without `.git`
  const repository =
    (await readLocalRepository(git, path)) ?? (await readLocalRepository(git, `${path}.git`));
  if (!repository?.checkedOut.includes(branch) || repository.takesPushes) return;
  throw new DomainError(
    'PUSH_REFUSED',
    `Publishing would fail, because the branch ${branch} is checked out in a work tree of the repository, ` +
      `and git rejects pushes to it. ${checkedOutRemedy}`,
  );
}

/**
 * The path in a `file:` URL, as git reads it; null for other URLs, and for paths that are not
 * UTF-8.
 */
function localPath(url: string): string | null {
  try {
    return url.startsWith('file:') ? decodeURIComponent(new URL(url).pathname) : null;
  } catch {
    return null;
  }
}

interface LocalRepository {
  /** Branches that are checked out in its work trees. */
  checkedOut: string[];
  /** Whether it takes pushes to them. */
  takesPushes: boolean;
}

/** The repository in exactly this folder; null if there is none, or it can't be read. */
async function readLocalRepository(
  git: GitRunner,
  folder: string,
): Promise<LocalRepository | null> {
  const runGit = (...args: string[]) =>
    git.run({ args: ['-C', folder, ...args], env: { GIT_CEILING_DIRECTORIES: dirname(folder) } });
  const worktrees = await runGit('worktree', 'list', '--porcelain');
  if (worktrees.code !== 0) return null;
  const policy = await runGit('config', '--get', 'receive.denyCurrentBranch');
  return {
    checkedOut: [...worktrees.stdout.toString().matchAll(/^branch refs\/heads\/(.+)$/gm)].map(
      ([, branch = '']) => branch,
    ),
    takesPushes: /^(ignore|warn|updateInstead|false|no|off|0)$/i.test(
      policy.stdout.toString().trim(),
    ),
  };
}
