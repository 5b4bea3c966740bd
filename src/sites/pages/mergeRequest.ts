import type { SiteWithRepository } from '../../contract/site.ts';
import type { Note } from '../../contract/task.ts';
import type { PublishRequest, SiteVersions } from '../git/repository.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import { mergePageLinks } from './mergePageLinks.ts';
import type { PageMethods } from './pages.ts';
import { isRegular, readPageSource } from './pageSource.ts';
import { deriveSitemap, findChangedPages } from './sitemap/deriveSitemap.ts';
import { isDerived } from './sitemap/derivedFiles.ts';

/** What a merge needs to know about the site. */
interface MergeContext {
  site: SiteWithRepository;
  pages: PageMethods;
  /** ISO 8601: the date of new entries of sitemaps. */
  createdAt: string;
  /** Gets the notes of merged files, by their paths. */
  mergeNotes?: Map<string, Note[]>;
}

/** Describes to git how to merge a result: its derived files, and how to merge two versions. */
export function mergeRequest({
  site,
  pages,
  createdAt,
  mergeNotes,
}: MergeContext): Pick<PublishRequest, 'author' | 'isDerived' | 'derive' | 'merge' | 'nameOf'> {
  return {
    author: site.author,
    isDerived,
    derive: (treeBefore, mergedTree, changedPaths) =>
      deriveSitemap(mergedTree, findChangedPages(pages, treeBefore, mergedTree, changedPaths), {
        pages,
        createdAt,
        ownHost: site.ownHost,
      }),
    merge: async (path, versions, changedPaths) => {
      if (path === REDIRECTS) return mergeHostFile(pages, path, versions);
      const mergedTree = await mergePageLinks(pages, path, versions, changedPaths);
      if (mergedTree) mergeNotes?.set(path, mergedTree.notes);
      return mergedTree?.content;
    },
    nameOf: (path) => (pages.isPage(path) ? pages.slugOf(path) : path),
  };
}

/**
 * Merges a task's redirects into a host's file (`_redirects`) that others changed meanwhile.
 * @param versions the site when the task began, with the task's result, and in production now
 * @returns the merged file; undefined for a conflict
 */
async function mergeHostFile(
  pages: Pick<PageMethods, 'mergeRedirects'>,
  path: string,
  { before, task, production }: SiteVersions,
): Promise<string | undefined> {
  const isInBoth = [task, production].every((tree) => isRegular(tree, path));
  if (!isInBoth || (before.entries.has(path) && !isRegular(before, path))) return undefined;
  const readSource = async (tree: SiteVersions['task']) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const versions = {
    before: await readSource(before),
    task: await readSource(task),
    production: await readSource(production),
  };
  return (await pages.mergeRedirects({ path }, versions)) ?? undefined;
}
