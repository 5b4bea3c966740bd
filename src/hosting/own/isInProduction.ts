import type { HeldCommit } from '../../contract/site.ts';
import type { Repository, Tree } from '../../sites/git/repository.ts';
import { isDerived } from '../../sites/pages/derivedFiles.ts';

/**
 * Whether the production branch has all of a result: its commit, or, after a squash, its files.
 * @param result.held its commit
 * @param result.paths the paths of the files that it changed
 * @param result.after its files
 */
export async function isInProduction(
  repository: Pick<Repository, 'fetchHead' | 'isAncestor' | 'tree'>,
  result: { held: HeldCommit; paths: string[]; after: Pick<Tree, 'entries'> },
  signal: AbortSignal,
): Promise<boolean> {
  const { held, paths, after } = result;
  const head = { commit: await repository.fetchHead(signal), heldBy: null };
  if (await repository.isAncestor(held, head, signal)) return true;
  const { entries } = await repository.tree(head, signal);
  return paths.every(
    (path) => isDerived(path) || entries.get(path)?.id === after.entries.get(path)?.id,
  );
}
