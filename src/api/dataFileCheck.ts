import type { PageUrlRule } from '../contract/site.ts';
import { onCode } from '../errors.ts';
import { isDataFile, isProgramFile } from '../sites/dataFiles/entryPaths.ts';
import type { EntrySamples } from '../sites/dataFiles/sampleEntries.ts';
import type { Tree } from '../sites/git/repository.ts';
import { type PageEnds, patternEnds } from '../sites/pages/generators/urlPatterns.ts';
import { isRegular, readPageSource } from '../sites/pages/pageSource.ts';
import type { PageMethods } from '../sites/pages/pages.ts';

/** Finds data files of a new site whose entries look like pages (pageUrlCheck.ts). */

export type DataFileCheckCalls = Pick<PageMethods, 'sampleEntries' | 'pageUrlPath'>;

/** A data file with several entries that have prose, such as pages have. */
export interface CandidateDataFile extends EntrySamples {
  path: string;
}

const MOST_FILES = 20;
/** Larger files are rather the output of programs. */
const MOST_BYTES = 500_000;

/** The data files without a rule that could be pages. */
export async function findCandidateDataFiles(
  pages: DataFileCheckCalls,
  tree: Tree,
  rules: PageUrlRule[],
): Promise<CandidateDataFile[]> {
  const ruledFiles = new Set(rules.map(({ folder }) => folder));
  const paths = [...tree.entries.values()]
    .filter(({ path, size }) => isDataFile(path) && size <= MOST_BYTES && isRegular(tree, path))
    .map(({ path }) => path)
    .filter((path) => !isProgramFile(path) && !ruledFiles.has(path))
    .slice(0, MOST_FILES);
  const candidates = paths.map(async (path) => {
    const samples = await readPageSource(tree, path)
      .then((file) => pages.sampleEntries(file))
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null));
    return samples ? [{ path, ...samples }] : [];
  });
  return (await Promise.all(candidates)).flat();
}

/** The ends of the URLs that the entries of a file have by each of the usual patterns. */
export const findEntryEnds = (
  pages: DataFileCheckCalls,
  { path: folder, samples }: CandidateDataFile,
): Promise<PageEnds[]> =>
  Promise.all(
    samples.map(async (sample) => {
      const ends: PageEnds['ends'] = {};
      for (const pattern of patternEnds) {
        const urlPath = await pages.pageUrlPath(sample, {
          files: [],
          rules: [{ folder, pattern }],
        });
        if (urlPath !== null) ends[pattern] = urlPath;
      }
      return { path: sample.path, ends };
    }),
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
