import type { PageUrlRule } from '../contract/site.ts';
import { onCode } from '../errors.ts';
import {
  isDataFile,
  isFilePattern,
  isProgramFile,
  keyByPattern,
} from '../sites/dataFiles/entryPaths.ts';
import type { EntrySamples } from '../sites/dataFiles/sampleEntries.ts';
import type { Tree } from '../sites/git/repository.ts';
import { type PageEnds, patternEnds } from '../sites/pages/generators/urlPatterns.ts';
import { isRegular, readPageSource } from '../sites/pages/pageSource.ts';
import type { PageMethods } from '../sites/pages/pages.ts';

/* Finds data files of a new site whose entries look like pages (pageUrlCheck.ts). */

export type DataFileCheckCalls = Pick<PageMethods, 'sampleEntries' | 'pageUrlPath'>;

/** A data file, or the data files of a folder, with several entries that have prose. */
export interface CandidateDataFile extends EntrySamples {
  /** That of the file, or a pattern. */
  path: string;
}

const MOST_FILES = 20;
/** Files of a folder that are read. */
const MOST_SAMPLES = 10;
/** Larger files are rather the output of programs. */
const MOST_BYTES = 500_000;

/** Whether the site has a data file, or files that a pattern names. */
export const hasDataFile = ({ entries }: Tree, path: string): boolean =>
  isFilePattern(path) ? entries.keys().some((file) => isNamedBy(path, file)) : entries.has(path);

const isNamedBy = (pattern: string, path: string) =>
  isFilePattern(pattern) && keyByPattern(pattern, path) !== null;

/** The data files without a rule that could be pages. */
export async function findCandidateDataFiles(
  pages: DataFileCheckCalls,
  tree: Tree,
  rules: PageUrlRule[],
): Promise<CandidateDataFile[]> {
  const hasRule = (path: string) =>
    rules.some(({ folder }) => folder === path || isNamedBy(folder, path));
  const paths = [...tree.entries.values()]
    .filter(({ path, size }) => isDataFile(path) && size <= MOST_BYTES && isRegular(tree, path))
    .map(({ path }) => path)
    .filter((path) => !isProgramFile(path) && !hasRule(path));
  const folders = [...Map.groupBy(paths, patternOf)].filter(([, files]) => files.length >= 2);
  const groups = [
    ...paths.slice(0, MOST_FILES).map((path): [string, string[]] => [path, [path]]),
    ...folders.slice(0, MOST_FILES),
  ];
  const candidates = groups.map(async ([path, names]) => {
    const files = names.slice(0, MOST_SAMPLES).map((name) => readPageSource(tree, name));
    const samples = await Promise.all(files)
      .then((sources) => pages.sampleEntries({ path, files: sources }))
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null));
    if (!samples) return [];
    return [{ path, ...samples, count: isFilePattern(path) ? names.length : samples.count }];
  });
  return (await Promise.all(candidates)).flat();
}

/** The pattern that names the files of a file's folder: `cities/a.json` → `cities/*.json`. */
const patternOf = (path: string) =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}*${path.slice(path.lastIndexOf('.'))}`;

/**
 * The ends of a page's URL by each of the usual patterns.
 * @param urlPathBy the path of the page in URLs by a pattern; null if it is not known
 */
export async function findEnds(
  path: string,
  urlPathBy: (pattern: string) => Promise<string | null>,
): Promise<PageEnds> {
  const ends: PageEnds['ends'] = {};
  for (const pattern of patternEnds) {
    const urlPath = await urlPathBy(pattern);
    if (urlPath !== null) ends[pattern] = urlPath;
  }
  return { path, ends };
}

/** The ends of the URLs that the entries of a file have. */
export const findEntryEnds = (
  pages: DataFileCheckCalls,
  { path: folder, samples }: CandidateDataFile,
): Promise<PageEnds[]> =>
  Promise.all(
    samples.map((sample) =>
      findEnds(sample.path, (pattern) =>
        pages.pageUrlPath(sample, { files: [], rules: [{ folder, pattern }] }),
      ),
    ),
  );

/** Whether at least two entries are at one of the URLs by a rule. */
export async function fitsSeveralEntries(
  pages: DataFileCheckCalls,
  { samples }: CandidateDataFile,
  { rule, urlPaths }: { rule: PageUrlRule; urlPaths: string[] },
): Promise<boolean> {
  const known = new Set(urlPaths);
  const samplePaths = await Promise.all(
    samples.map((sample) => pages.pageUrlPath(sample, { files: [], rules: [rule] })),
  );
  return samplePaths.filter((path) => path !== null && known.has(path)).length >= 2;
}
