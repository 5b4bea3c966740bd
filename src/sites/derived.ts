import type { PageFile } from '../contract/site.ts';
import type { Pages } from './pages.ts';
import type { FileChange, Tree } from './repository.ts';
import { SITEMAP, updateSitemap } from './sitemap.ts';

interface CreatedAndDeleted {
  created: PageFile[];
  deleted: PageFile[];
}

/** The tree's sitemap after pages came and went: nothing where the site has none, or nothing of it changes. */
export async function deriveSitemap(tree: Tree, { created, deleted }: CreatedAndDeleted): Promise<FileChange[]> {
  if (!tree.entries.has(SITEMAP) || created.length + deleted.length === 0) return [];
  const source = await tree.read(SITEMAP);
  const content = updateSitemap(source, { added: created, removed: deleted });
  return content === source ? [] : [{ path: SITEMAP, content }];
}

/** Which pages a task's changed files made and took away, by the trees before and after. */
export function createdAndDeleted(pages: Pages, before: Tree, after: Tree, changedPaths: string[]): CreatedAndDeleted {
  const files = changedPaths.filter((path) => pages.isPage(path)).map((path) => ({ slug: pages.slugOf(path), path }));
  return {
    created: files.filter(({ path }) => after.entries.has(path) && !before.entries.has(path)),
    deleted: files.filter(({ path }) => before.entries.has(path) && !after.entries.has(path)),
  };
}
