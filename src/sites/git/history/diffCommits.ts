import { type SiteClone, rootPrefix } from '../siteClone.ts';

const timeout = 20_000;
/** A repository's attributes and settings must not change its diff or run a program. */
const fixedOptions = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

/**
 * The changed files of the site in two commits as a unified diff, with paths from the repository's
 * root. Binary files are only named. Both trees must have been read before: this checks their size.
 * @throws DomainError LIMIT_EXCEEDED over `maxBytes`, GIT_FAILED after 20 s
 */
export function diffCommits(
  clone: SiteClone,
  oldCommit: string,
  newCommit: string,
  options: { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<string> {
  const { store, root } = clone;
  const prefixes = [`--src-prefix=a/${rootPrefix(clone)}`, `--dst-prefix=b/${rootPrefix(clone)}`];
  const trees = [`${oldCommit}:${root}`, `${newCommit}:${root}`];
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '--full-index',
    '--submodule=short',
    ...fixedOptions,
    ...prefixes,
    ...trees,
    '--',
  ];
  return store.git(args, { ...options, timeout });
}
