import type { SiteVersions } from '../git/repository.ts';
import type { PageMethods } from './pages.ts';
import { isRegular, readPageSource } from './pageSource.ts';

/**
 * Merges a task's redirects into a host's file (`_redirects`) that others changed meanwhile.
 * @param versions the site when the task began, with the task's result, and in production now
 * @returns the merged file; undefined for a conflict
 */
export async function mergeHostFile(
  pages: Pick<PageMethods, 'mergeRedirects'>,
  path: string,
  { before, task, production }: SiteVersions,
): Promise<string | undefined> {
  const isInBoth = [task, production].every((tree) => isRegular(tree, path));
  if (!isInBoth || (before.entries.has(path) && !isRegular(before, path))) return undefined;
  const readSource = async (tree: SiteVersions['task']) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const versions = {
    before: await readSource(before),
    task: await readSource(task),
    production: await readSource(production),
  };
  return (await pages.mergeRedirects({ path }, versions)) ?? undefined;
}
