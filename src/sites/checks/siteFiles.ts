import { createFileFinder } from '../pages/urls/servedFiles.ts';
import { readTarget, resolvePath } from '../pages/urls/servedPaths.ts';
import { decodeUrlPart } from '../pages/urls/urls.ts';

/** Says which URL paths of a site exist, as its host serves them. */
export interface SiteFiles {
  paths: readonly string[];
  /** Whether a URL path leads to a page or file, directly or by a redirect. */
  answers(path: string): boolean;
  /** Whether a URL path is exactly the path of a file. */
  holds(path: string): boolean;
}

/**
 * Indexes the files of a site, to check links between its pages.
 * @param paths every regular file of the site, relative to its root
 */
export function indexSiteFiles(paths: string[]): SiteFiles {
  const entries = new Map(paths.map((path) => [path, { path, id: '', mode: '100644', size: 0 }]));
  const findServedFile = createFileFinder({ entries });
  const knownAnswers = new Map<string, boolean>();
  const leadsToFile = (path: string) => {
    const target = readTarget(path);
    return target !== null && resolvePath(findServedFile, target) !== 'not found';
  };
  return {
    paths,
    answers(path) {
      const isAnswered = knownAnswers.get(path) ?? leadsToFile(path);
      knownAnswers.set(path, isAnswered);
      return isAnswered;
    },
    holds: (path) => findServedFile(decodeUrlPart(path.slice(1))) !== undefined,
  };
}
