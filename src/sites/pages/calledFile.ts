import { pagePaths } from '../formats/paths.ts';
import { SITEMAP } from './derivedFiles.ts';

interface AboutFile {
  path?: string;
  page?: { path: string };
  target?: { path: string };
}

/**
 * The path of the file that a call is about, found in its arguments; null for a call about the
 * whole site.
 */
export function pathIn(args: readonly unknown[]): string | null {
  for (const arg of args) {
    const { path, page, target } = (arg ?? {}) as AboutFile;
    const found = path ?? page?.path ?? target?.path;
    if (found !== undefined) return found;
  }
  return null;
}

/** How an error names that file; null for a call about the whole site. */
export function nameIn(args: readonly unknown[]): string | null {
  const path = pathIn(args);
  return path === '' || path === SITEMAP || (path !== null && pagePaths.handles(path))
    ? `Page ${pagePaths.slugOf(path)}`
    : path;
}
