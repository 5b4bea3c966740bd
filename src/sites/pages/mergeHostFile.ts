import type { Versions } from '../git/repository.ts';
import type { Pages } from './pages.ts';
import { isRegular, readPageSource } from './pageSource.ts';

/**
 * Merges a task's redirects into a host's file that others changed meanwhile.
 * @returns undefined for a conflict
 */
export async function mergeHostFile(
  pages: Pick<Pages, 'mergeRedirects'>,
  path: string,
  { before, task, production }: Versions,
): Promise<string | undefined> {
  const hasIt = [task, production].every((tree) => isRegular(tree, path));
  if (!hasIt || (before.entries.has(path) && !isRegular(before, path))) return undefined;
  const read = async (tree: Versions['task']) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const versions = {
    before: await read(before),
    task: await read(task),
    production: await read(production),
  };
  return (await pages.mergeRedirects({ path }, versions)) ?? undefined;
}
