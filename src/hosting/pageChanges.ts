import { pagePaths } from '../sites/formats/paths.ts';
import { differingPaths } from '../sites/pages/sitemap/deriveSitemap.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { LiveDeploymentChange } from '../storage/liveDeployments.ts';
import type { PageBlob } from '../storage/replacePages.ts';

type TreeEntries = Pick<Tree, 'entries'>;

/**
 * The pages that differ between a deployment and the previous one.
 * @param before null for the first deployment
 */
export function comparePages(
  before: TreeEntries | null,
  after: TreeEntries,
): Pick<LiveDeploymentChange, 'pages' | 'changed'> {
  const treeBefore: TreeEntries = before ?? { entries: new Map() };
  const paths = differingPaths(treeBefore, after).filter((path) => pagePaths.handles(path));
  const created = paths.filter((path) => !treeBefore.entries.has(path)).length;
  const deleted = paths.filter((path) => !after.entries.has(path)).length;
  const pages = { created, deleted, modified: paths.length - created - deleted };
  return { pages, changed: blobsOf(after, paths) };
}

/** The object ids of a site's files at these paths. */
export const blobsOf = ({ entries }: TreeEntries, paths: string[]): PageBlob[] =>
  paths.map((path) => ({ path, blob: blobAt(entries, path) }));

/** The object id of a file, '' if there is no such file. */
export const blobAt = (entries: TreeEntries['entries'], path: string) =>
  entries.get(path)?.id ?? '';
