import { pagePaths } from '../formats/paths.ts';
import { readFileNames } from './fileNames.ts';

/** The files of a site that are pages: see `PageCalls`. */
export function listPages(names: string): string {
  const files = readFileNames(names).filter(({ path }) => pagePaths.handles(path));
  const bySlug = new Map<string, string>();
  const inOrder = [
    ...files.filter(({ isRegular }) => isRegular),
    ...files.filter(({ isRegular }) => !isRegular),
  ];
  for (const { path } of inOrder) {
    const slug = pagePaths.slugOf(path);
    if (!bySlug.has(slug)) bySlug.set(slug, path);
  }
  const sorted = [...bySlug].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, path]) => path).join('\0');
}
