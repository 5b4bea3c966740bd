import { pagePaths } from '../formats/paths.ts';
import { SITEMAP } from './sitemap/derivedFiles.ts';

interface FileArgument {
  path?: string;
  page?: { path: string };
  target?: { path: string };
}

/**
 * The path of the file that a call of `PageCalls` is about, found in its arguments; null for a call
 * about the whole site. A thread finds the file's format by it, and errors name the file.
 */
export function calledPath(args: readonly unknown[]): string | null {
  for (const argument of args) {
    const { path, page, target } = (argument ?? {}) as FileArgument;
    const filePath = path ?? page?.path ?? target?.path;
    if (filePath !== undefined) return filePath;
  }
  return null;
}

/** How an error names this file, such as `Page /about`; null for a call about the whole site. */
export function calledFileName(args: readonly unknown[]): string | null {
  const path = calledPath(args);
  return path === '' || path === SITEMAP || (path !== null && pagePaths.handles(path))
    ? `Page ${pagePaths.slugOf(path)}`
    : path;
}
