import type { PageFile } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { Pages } from './pages.ts';
import type { FileChange, Tree } from '../git/repository.ts';
import { SITEMAP } from './derivedFiles.ts';

/** A task's changes to a site's pages, by its trees before and after. */
export interface ChangedPages {
  created: PageFile[];
  modified: PageFile[];
  deleted: PageFile[];
}

/**
 * Updates the sitemap after a task's changes. Changes nothing if the site has no readable sitemap,
 * or no entry changes. A slug that lost one file and still has another stays listed. Throws
 * LIMIT_EXCEEDED.
 * @param tree the files without the changes to the sitemap
 * @param createdAt ISO 8601: the date of new entries
 */
export async function deriveSitemap(
  tree: Tree,
  { created, deleted }: Pick<ChangedPages, 'created' | 'deleted'>,
  { pages, createdAt }: { pages: Pages; createdAt: string },
): Promise<FileChange[]> {
  if (created.length + deleted.length === 0) return [];
  const source = await readSitemap(tree);
  if (source === undefined) return [];
  const gone = new Set(deleted.map(({ path }) => path));
  const left = [...tree.entries.keys()].filter((path) => !gone.has(path) && pages.isPage(path));
  const slugs = new Set(left.map((path) => pages.slugOf(path)));
  const removed = deleted.filter(({ slug }) => !slugs.has(slug));
  const content = await pages.updateSitemap(
    { path: SITEMAP, source },
    { added: created, removed, lastmod: createdAt },
  );
  refuseLarge(Buffer.byteLength(content));
  return content === source ? [] : [{ path: SITEMAP, content }];
}

/**
 * Refuses a site whose sitemap is too large to be updated with its pages.
 * @throws DomainError LIMIT_EXCEEDED
 */
export function checkSitemap({ entries }: Pick<Tree, 'entries'>): void {
  refuseLarge(entries.get(SITEMAP)?.size ?? 0);
}

function refuseLarge(bytes: number) {
  if (bytes > limits.sitemapBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `${SITEMAP} has ${bytes} bytes, at most ${limits.sitemapBytes} are supported`,
    );
}

async function readSitemap(tree: Tree): Promise<string | undefined> {
  if (!tree.entries.has(SITEMAP)) return undefined;
  checkSitemap(tree);
  return tree.read(SITEMAP).catch(onCode(['PAGE_UNREADABLE'], undefined));
}

type Entries = Pick<Tree, 'entries'>;

/** The paths of the files that differ between two trees, sorted. */
export function differingPaths(
  { entries: before }: Entries,
  { entries: after }: Entries,
): string[] {
  const paths = [...before.keys()].filter((path) => before.get(path)?.id !== after.get(path)?.id);
  for (const path of after.keys()) if (!before.has(path)) paths.push(path);
  return paths.sort();
}

/** The pages among some paths that were added, changed and removed, in the order of the paths. */
export function changedPages(
  pages: Pages,
  before: Entries,
  after: Entries,
  paths: string[],
): ChangedPages {
  const idIn = ({ entries }: Entries, path: string) => entries.get(path)?.id;
  const changed = paths
    .filter((path) => pages.isPage(path) && idIn(before, path) !== idIn(after, path))
    .map((path) => ({ slug: pages.slugOf(path), path }));
  return {
    created: changed.filter(({ path }) => !before.entries.has(path)),
    modified: changed.filter(({ path }) => before.entries.has(path) && after.entries.has(path)),
    deleted: changed.filter(({ path }) => !after.entries.has(path)),
  };
}
