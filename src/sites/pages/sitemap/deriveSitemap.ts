import type { PageFile, Site } from '../../../contract/site.ts';
import { limits } from '../../../contract/task.ts';
import { DomainError, onCode } from '../../../errors.ts';
import { readEntryPath } from '../../dataFiles/entryPaths.ts';
import { formatAt } from '../../formats/paths.ts';
import type { PageMethods } from '../pages.ts';
import type { FileChange, Tree } from '../../git/repository.ts';
import type { PageSource } from '../../formats/format.ts';
import { isDerived, SITEMAP } from './derivedFiles.ts';

/** The pages that differ between two trees of a site, such as before and after a task. */
export interface ChangedPages {
  created: PageFile[];
  modified: PageFile[];
  deleted: PageFile[];
}

/** What the new sitemaps are derived with. */
interface Derivation {
  pages: PageMethods;
  /** ISO 8601: the date of new entries. */
  createdAt: string;
  /** The site's external host, if it has one. */
  ownHost: Site['ownHost'];
  /** Reads a created page. Default: from the tree. */
  read?: (path: string) => Promise<string>;
}

/**
 * Updates a site's sitemaps after pages were created or deleted: a created page gets an entry, and
 * the entry of a deleted page is removed. Changes nothing if the site has no readable sitemap. A
 * slug that lost one of its files and still has another stays listed. A page that asks search
 * engines not to list it is not added. Entries of data files are left to the generator of the site,
 * and at an external host all pages in Markdown, because their slugs are not their URLs.
 * @param tree the files without the changes to the sitemaps
 * @returns the sitemaps that change, with their new contents
 * @throws DomainError LIMIT_EXCEEDED
 */
export async function deriveSitemap(
  tree: Tree,
  changedPages: Pick<ChangedPages, 'created' | 'deleted'>,
  { pages, createdAt, ownHost, read = (path) => tree.read(path) }: Derivation,
): Promise<FileChange[]> {
  const isGenerated = (path: string) =>
    readEntryPath(path) !== null || (ownHost !== undefined && formatAt(path) === 'markdown');
  const [created, deleted] = [changedPages.created, changedPages.deleted].map((files) =>
    files.filter(({ path }) => !isGenerated(path)),
  ) as [PageFile[], PageFile[]];
  if (created.length + deleted.length === 0) return [];
  const files = await readSitemaps(tree);
  if (files.length === 0) return [];
  const deletedPaths = new Set(deleted.map(({ path }) => path));
  const remainingPages = [...tree.entries.keys()].filter(
    (path) => !deletedPaths.has(path) && pages.isPage(path),
  );
  const slugs = new Set(remainingPages.map((path) => pages.slugOf(path)));
  const removed = deleted.filter(({ slug }) => !slugs.has(slug));
  const areUnlisted = await Promise.all(created.map(({ path }) => isUnlisted(pages, path, read)));
  const added = created.filter((_, i) => !areUnlisted[i]);
  const changed = await pages.updateSitemaps(
    { path: SITEMAP, files },
    { added, removed, lastmod: createdAt },
  );
  for (const { path, source } of changed) refuseLarge(path, Buffer.byteLength(source));
  return changed.map(({ path, source }) => ({ path, content: source }));
}

async function isUnlisted(pages: PageMethods, path: string, read: Tree['read']) {
  const source = await read(path);
  const lowercaseSource = source.toLowerCase();
  const isPossible =
    lowercaseSource.includes('noindex') ||
    lowercaseSource.includes('unavailable_after') ||
    (lowercaseSource.includes('none') && lowercaseSource.includes('robots'));
  return isPossible && pages.isUnlisted({ path, source });
}

/**
 * Refuses a site whose sitemap is too large to be updated with its pages.
 * @throws DomainError LIMIT_EXCEEDED
 */
export function checkSitemap({ entries }: Pick<Tree, 'entries'>): void {
  refuseLarge(SITEMAP, entries.get(SITEMAP)?.size ?? 0);
}

function refuseLarge(path: string, bytes: number) {
  if (bytes > limits.sitemapBytes) throw sitemapTooLargeError(path, bytes);
}

export const sitemapTooLargeError = (path: string, bytes: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `${path} has ${bytes} bytes, but at most ${limits.sitemapBytes} are supported`,
  );

const MOST_SITEMAPS = 50;

/** Reads the site's sitemaps, the main one first, as many as are not too large together. */
async function readSitemaps(tree: Tree): Promise<PageSource[]> {
  checkSitemap(tree);
  const derivedFiles = [...tree.entries.values()].filter(({ path }) => isDerived(path));
  derivedFiles.sort((a, b) => Number(b.path === SITEMAP) - Number(a.path === SITEMAP));
  let bytes = 0;
  const readable = derivedFiles
    .slice(0, MOST_SITEMAPS)
    .filter(({ size }) => (bytes += size) <= limits.sitemapBytes);
  const pendingFiles = readable.map(({ path }) =>
    tree.read(path).then((source) => ({ path, source }), onCode(['PAGE_UNREADABLE'], undefined)),
  );
  return (await Promise.all(pendingFiles)).filter((file) => file !== undefined);
}

type EntriesOfTree = Pick<Tree, 'entries'>;

/**
 * The paths of the files that differ between two trees, sorted. For a data file whose entries are
 * pages, those of the entries.
 */
export function differingPaths(
  { entries: oldEntries }: EntriesOfTree,
  { entries: newEntries }: EntriesOfTree,
): string[] {
  const paths = [...oldEntries].flatMap(([path, { id, parts }]) => {
    const newEntry = newEntries.get(path);
    return id === newEntry?.id || (parts && newEntry?.parts) ? [] : [path];
  });
  for (const path of newEntries.keys()) if (!oldEntries.has(path)) paths.push(path);
  return paths.sort();
}

/** The pages that were created, modified and deleted, in the order of `paths`. */
export function findChangedPages(
  pages: PageMethods,
  oldTree: EntriesOfTree,
  newTree: EntriesOfTree,
  paths: string[],
): ChangedPages {
  const entryId = ({ entries }: EntriesOfTree, path: string) => entries.get(path)?.id;
  const changedFiles = paths
    .filter((path) => pages.isPage(path) && entryId(oldTree, path) !== entryId(newTree, path))
    .map((path) => ({ slug: pages.slugOf(path), path }));
  return {
    created: changedFiles.filter(({ path }) => !oldTree.entries.has(path)),
    modified: changedFiles.filter(
      ({ path }) => oldTree.entries.has(path) && newTree.entries.has(path),
    ),
    deleted: changedFiles.filter(({ path }) => !newTree.entries.has(path)),
  };
}
