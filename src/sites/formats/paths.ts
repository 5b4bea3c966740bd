import type { PathRules } from './format.ts';
import { htmlPaths } from './html/htmlPaths.ts';

/** The rules of several formats as one. A file of none of them is named by the first one's. */
export function rulesOf(formats: [PathRules, ...PathRules[]]): PathRules {
  const rulesAt = (path: string) => formats.find((rules) => rules.handles(path)) ?? formats[0];
  return {
    handles: (path) => formats.some((rules) => rules.handles(path)),
    slugOf: (path) => rulesAt(path).slugOf(path),
    pathOf: (slug, siblingPath) => rulesAt(siblingPath).pathOf(slug, siblingPath),
  };
}

/** What names of files tell, for every format: known without reading a page. */
export const pagePaths = rulesOf([htmlPaths]);
