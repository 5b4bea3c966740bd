import type { PageFile, Site } from '../../contract/site.ts';
import type { Tree } from '../../sites/git/repository.ts';
import type { Pages, PagesPool } from '../../sites/pages/pages.ts';
import { readPageSource } from '../../sites/pages/pageSource.ts';
import { lettersOf } from '../../sites/pages/shownTexts.ts';
import type { AwaitedPage } from '../../contract/deployment.ts';

/** Texts to look for on each page. */
const TEXTS = 5;
const LONGEST = 200;
/** Shorter texts may be anywhere. */
const SHORTEST = 12;

/** What to look for: where each page may be, and its texts that the base does not have. */
export async function awaitedPages(
  pool: PagesPool,
  { site, before, after, pages }: { site: Site; before: Tree; after: Tree; pages: PageFile[] },
  signal?: AbortSignal,
): Promise<AwaitedPage[]> {
  const calls = pool.for({ organizationId: site.organizationId, signal });
  const found: AwaitedPage[] = [];
  for (const { slug, path } of pages)
    found.push({
      slug,
      paths: pathsOf(slug, path),
      texts: await newTexts(calls, [before, after], path),
    });
  return found;
}

async function newTexts(pages: Pages, [before, after]: [Tree, Tree], path: string) {
  const sourceIn = (tree: Tree) => (tree.entries.has(path) ? readPageSource(tree, path) : null);
  const changes = await pages.compare(await sourceIn(after), await sourceIn(before));
  return changes
    .flatMap(({ before: old, after: now }) => (now === null || now === old ? [] : [now]))
    .map((text) => text.slice(0, LONGEST))
    .filter((text) => lettersOf(text).length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
    .slice(0, TEXTS);
}

/**
 * Where hosts serve a page: at its slug, as a folder, or by its file's name. Generators decide
 * that, so each is tried.
 */
function pathsOf(slug: string, path: string): string[] {
  if (slug === '/') return ['/'];
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isFolder = ['index.html', 'index.htm'].includes(name);
  return isFolder ? [`${slug}/`, slug] : [slug, `${slug}/`, `/${path}`];
}
