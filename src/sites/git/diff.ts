import type { Store } from './store.ts';

const timeout = 20_000;
/** A repository's attributes and settings do not change how its diff looks, and run no program. */
const fixed = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];

/**
 * The changed files of two commits as a unified diff; binary files are named only.
 * @throws DomainError LIMIT_EXCEEDED over `maxBytes`, GIT_FAILED after 20 s
 */
export function diff(
  store: Store,
  commits: [before: string, after: string],
  options: { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<string> {
  const args = ['diff-tree', '-r', '-p', '--full-index', '--submodule=short', ...fixed, ...commits, '--'];
  return store.git(args, { ...options, timeout });
}
