import type { PathRules } from './format.ts';
import { htmlPaths } from './html/htmlPaths.ts';

/** Every format, by its name in the API: each of them is in `formats.ts` too. */
const pathsByFormat = { html: htmlPaths };

export type FormatName = keyof typeof pathsByFormat;
export const formatNames = Object.keys(pathsByFormat) as FormatName[];

const known = Object.values(pathsByFormat) as [PathRules, ...PathRules[]];
/** The formats as messages name them: `HTML`. */
export const formatLabels = known.map(({ label }) => label).join(' or ');

/** The format of the page at a path. */
export const formatAt = (path: string): FormatName | null =>
  formatNames.find((name) => pathsByFormat[name].handles(path)) ?? null;

/** The rules of several formats as one. A file of none of them is named by the first one's. */
export function rulesOf(formats: [PathRules, ...PathRules[]]): Omit<PathRules, 'label'> {
  const rulesAt = (path: string) => formats.find((rules) => rules.handles(path)) ?? formats[0];
  return {
    handles: (path) => formats.some((rules) => rules.handles(path)),
    slugOf: (path) => rulesAt(path).slugOf(path),
    pathOf: (slug, siblingPath) => rulesAt(siblingPath).pathOf(slug, siblingPath),
  };
}

/** What names of files tell, for every format: known without reading a page. */
export const pagePaths = rulesOf(known);
