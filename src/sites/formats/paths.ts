import type { PathRules } from './format.ts';
import { htmlPaths } from './html/htmlPaths.ts';
import { markdownPaths } from './markdown/markdownPaths.ts';

export { markdownExtension } from './markdown/markdownPaths.ts';

/** All formats, by their names in the API. Keep in step with `formats.ts`. */
const pathsByFormat = { html: htmlPaths, markdown: markdownPaths };

/** A format's name in the API: `html`. */
export type FormatName = keyof typeof pathsByFormat;
export const formatNames = Object.keys(pathsByFormat) as FormatName[];

const formatRules = Object.values(pathsByFormat) as [PathRules, ...PathRules[]];
/** The formats' names for messages: `HTML`. */
export const formatLabels = formatRules.map(({ label }) => label).join(' or ');

/** The format of the page at a path; null if the file is not a page. */
export const formatAt = (path: string): FormatName | null =>
  formatNames.find((name) => pathsByFormat[name].handles(path)) ?? null;

/**
 * Combines the path rules of several formats. No file is a page of two formats. Slugs and paths of
 * other files follow the first format.
 */
export function combineRules(formats: [PathRules, ...PathRules[]]): Omit<PathRules, 'label'> {
  const [defaultRules, ...otherRules] = formats;
  const rulesAt = (path: string) => otherRules.find((rules) => rules.handles(path)) ?? defaultRules;
  return {
    handles: (path) => formats.some((rules) => rules.handles(path)),
    slugOf: (path) => rulesAt(path).slugOf(path),
    pathOf: (slug, siblingPath) => rulesAt(siblingPath).pathOf(slug, siblingPath),
  };
}

/** The path rules of all formats. They only use file names and never read a page. */
export const pagePaths = combineRules(formatRules);
