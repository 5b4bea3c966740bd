import { pagePaths } from '../../formats/paths.ts';
import { unpackFileNames } from './fileNames.ts';

/**
 * Lists the files of a site that are pages, one for each slug and sorted by slug. A regular file
 * takes precedence over a symbolic link.
 * @param names the site's files, as `packFileNames` returns them
 * @returns their paths, joined by `\0`
 */
export function listPagePaths(names: string): string {
  const files = unpackFileNames(names).filter(({ path }) => pagePaths.handles(path));
  const pathsBySlug = new Map<string, string>();
  const orderedFiles = [
    ...files.filter(({ isRegular }) => isRegular),
    ...files.filter(({ isRegular }) => !isRegular),
  ];
  for (const { path } of orderedFiles) {
    const slug = pagePaths.slugOf(path);
    if (!pathsBySlug.has(slug)) pathsBySlug.set(slug, path);
  }
  const sorted = [...pathsBySlug].sort(([firstSlug], [secondSlug]) =>
    firstSlug < secondSlug ? -1 : 1,
  );
  return sorted.map(([, path]) => path).join('\0');
}
