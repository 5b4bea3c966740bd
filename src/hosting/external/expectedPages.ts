import type { PageFile, Site } from '../../contract/site.ts';
import type { Tree } from '../../sites/git/repository.ts';
import type { PageMethods, PagesPool } from '../../sites/pages/pages.ts';
import { formatAt } from '../../sites/formats/paths.ts';
import { createUrlPathFinder } from '../../sites/pages/generators/urlPathFinder.ts';
import { readPageSource } from '../../sites/pages/pageSource.ts';
import { foldLetters } from '../../sites/pages/texts/shownTexts.ts';
import type { ExpectedPage } from '../../contract/deployment.ts';

/** Texts to look for on each page. */
const TEXTS = 5;
const LONGEST = 200;
/** Shorter texts may also be on the old page by chance. */
const SHORTEST = 12;

/**
 * What a deployment check looks for: where each page may be, and its longest new texts.
 * `{ slug: '/about', path: 'about.html' }` → `{ slug: '/about', paths: ['/about', '/about/',
 * '/about.html'], texts: ['Our new office in Lisbon'] }`. A page whose URL is unknown has no paths.
 */
export async function readExpectedPages(
  pool: PagesPool,
  { site, before, after, pages }: { site: Site; before: Tree; after: Tree; pages: PageFile[] },
  signal?: AbortSignal,
): Promise<ExpectedPage[]> {
  const pageCalls = pool.for({ organizationId: site.organizationId, signal });
  const findPaths = createPathsFinder(pageCalls, site, after);
  const expectedPages: ExpectedPage[] = [];
  for (const { slug, path } of pages)
    expectedPages.push({
      slug,
      paths: await findPaths({ slug, path }),
      texts: await findNewTexts(pageCalls, [before, after], path),
    });
  return expectedPages;
}

/** Finds the paths at which a host may serve a page. Reads each configuration only once. */
function createPathsFinder(pages: PageMethods, site: Site, tree: Tree) {
  const urlPathOf = createUrlPathFinder(pages, tree, site.ownHost?.pageUrls ?? []);
  return async ({ slug, path }: PageFile): Promise<string[]> => {
    if (formatAt(path) !== 'markdown') return htmlPaths(slug, path);
    const urlPath = tree.entries.has(path) ? await urlPathOf(path) : null;
    return urlPath === null ? [] : pathSpellings(urlPath);
  };
}

async function findNewTexts(pages: PageMethods, [before, after]: [Tree, Tree], path: string) {
  const readSourceIn = (tree: Tree) => (tree.entries.has(path) ? readPageSource(tree, path) : null);
  const changes = await pages.compare(await readSourceIn(after), await readSourceIn(before));
  return changes
    .flatMap(({ before: oldText, after: newText }) =>
      newText === null || newText === oldText ? [] : [newText],
    )
    .map((text) => text.slice(0, LONGEST))
    .filter((text) => foldLetters(text).length >= SHORTEST)
    .sort((first, second) => second.length - first.length)
    .slice(0, TEXTS);
}

/** The paths at which hosts may serve a file: its slug, the slug as a folder, or its name. */
function htmlPaths(slug: string, path: string): string[] {
  if (slug === '/') return ['/'];
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (['index.html', 'index.htm'].includes(name)) return [`${slug}/`, slug];
  return [slug, `${slug}/`, `/${path}`];
}

/** A host may add or leave out the slash or `.html` at the end of a page's path. */
function pathSpellings(urlPath: string): string[] {
  const barePath = urlPath.replace(/(?:\.html|\/)$/, '');
  if (barePath === '') return ['/'];
  return [...new Set([urlPath, barePath, `${barePath}/`, `${barePath}.html`])];
}
