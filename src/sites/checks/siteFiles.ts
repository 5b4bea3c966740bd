import { servedFiles } from '../pages/servedFiles.ts';
import { readTarget, resolvePath } from '../pages/servedPaths.ts';
import { decode } from '../pages/urls.ts';

/** Tells which addresses exist in a site, as its host serves them. */
export interface SiteFiles {
  /** Whether a URL path leads to a page or file, directly or by a redirect. */
  answers(path: string): boolean;
  /** Whether a URL path is exactly the path of a file. */
  holds(path: string): boolean;
}

/**
 * Indexes the files of a site.
 * @param paths every file of the site that is no symbolic link, relative to its root
 */
export function siteFiles(paths: string[]): SiteFiles {
  const entries = new Map(paths.map((path) => [path, { path, id: '', mode: '100644', size: 0 }]));
  const find = servedFiles({ entries });
  const known = new Map<string, boolean>();
  const look = (path: string) => {
    const target = readTarget(path);
    return target !== null && resolvePath(find, target) !== 'not found';
  };
  return {
    answers(path) {
      const answer = known.get(path) ?? look(path);
      known.set(path, answer);
      return answer;
    },
    holds: (path) => find(decode(path.slice(1))) !== undefined,
  };
}
