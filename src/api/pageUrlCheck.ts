import type { PageUrlProposal, SiteFinding } from '../contract/responses.ts';
import type { PageUrlRule } from '../contract/site.ts';
import { listFirstNames, trimEndCharacters } from '../contract/text/summaries.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';
import { DomainError } from '../errors.ts';
import type { SendHttp } from '../forges/forgeProject.ts';
import { formatAt } from '../sites/formats/paths.ts';
import type { Tree } from '../sites/git/repository.ts';
import { createUrlPathFinder } from '../sites/pages/generators/urlPathFinder.ts';
import {
  collectionFolder,
  type PageEnds,
  patternEnds,
} from '../sites/pages/generators/urlPatterns.ts';
import { isReadablePage } from '../sites/pages/pageSource.ts';
import type { PageMethods } from '../sites/pages/pages.ts';

/*
 * Finds the pages in Markdown of a new site whose URLs are not known, and proposes rules for them
 * that fit the sitemap of the live site. A person confirms or corrects the rules.
 */

type UrlCalls = Pick<PageMethods, 'isPage' | 'pageUrlPath' | 'proposeUrlRule' | 'readSitemapPaths'>;

interface PageUrlCheckDeps {
  pages: UrlCalls;
  send: SendHttp;
}

interface PageUrlCheckInput {
  tree: Tree;
  rules: PageUrlRule[];
  liveUrl: string | null;
}

const MOST_FOLDERS = 20;
/** Pages of a folder that are read. */
const MOST_SAMPLES = 10;
const MOST_URLS = 5_000;
const MOST_SITEMAPS = 5;
const SITEMAP_BYTES = 1024 * 1024;

/** @returns the folders of pages whose URLs are not known. Empty for a site without Markdown */
export async function findUnknownPageUrls(
  deps: PageUrlCheckDeps,
  { tree, rules, liveUrl }: PageUrlCheckInput,
  signal: AbortSignal,
): Promise<PageUrlProposal[]> {
  const paths = [...tree.entries.values()]
    .filter((entry) => formatAt(entry.path) === 'markdown' && isReadablePage(deps.pages, entry))
    .map(({ path }) => path);
  const folders = [...Map.groupBy(paths, collectionFolder)].slice(0, MOST_FOLDERS);
  const urlPathOf = createUrlPathFinder(deps.pages, tree, rules);
  const unknownFolders: [folder: string, samples: string[], count: number][] = [];
  for (const [folder, folderPaths] of folders) {
    const samples = folderPaths.slice(0, MOST_SAMPLES);
    const urlPaths = await Promise.all(samples.map(urlPathOf));
    if (urlPaths.includes(null)) unknownFolders.push([folder, samples, folderPaths.length]);
  }
  const siteUrl = unknownFolders.length > 0 && liveUrl !== null ? liveUrl : null;
  const livePaths = siteUrl === null ? [] : await readSitemap(deps, siteUrl, signal);
  return Promise.all(
    unknownFolders.map(async ([folder, samples, count]) => {
      const ends = await Promise.all(samples.map((path) => findEnds(deps, tree, { folder, path })));
      const rule = await deps.pages.proposeUrlRule(folder, ends, livePaths);
      return {
        folder,
        pages: count,
        pattern: rule?.pattern ?? null,
        example: rule && {
          path: rule.example.path,
          url: baseOf(siteUrl!) + rule.example.urlPath,
        },
      };
    }),
  );
}

/** The warning about pages whose URLs are not known. */
export const unknownUrlWarnings = (proposals: PageUrlProposal[]): SiteFinding[] =>
  proposals.length === 0
    ? []
    : [
        {
          code: 'page-urls',
          message: `The configuration of the site does not say at which URLs the pages in ${listFirstNames(
            proposals.map(({ folder }) => folder || 'the top folder'),
            'folders',
          )} are. Add a rule for each folder. Without a rule, tasks do not find the new pages, and report no URLs for them.`,
        },
      ];

/** The end of a page's URL by each of the usual patterns. */
async function findEnds(
  { pages }: PageUrlCheckDeps,
  tree: Tree,
  { folder, path }: { folder: string; path: string },
): Promise<PageEnds> {
  const ends: PageEnds['ends'] = {};
  for (const pattern of patternEnds) {
    const urlPath = await createUrlPathFinder(pages, tree, [{ folder, pattern }])(path);
    if (urlPath !== null) ends[pattern] = urlPath;
  }
  return { path, ends };
}

/** The paths of the live site's URLs, without the base of the site. Empty if it has no sitemap. */
async function readSitemap(
  { pages, send }: PageUrlCheckDeps,
  liveUrl: string,
  signal: AbortSignal,
): Promise<string[]> {
  const base = baseOf(liveUrl);
  const basePath = base.slice(parseUrl(base)!.origin.length);
  const pathsIn = async (path: string) => {
    const source = await readText(send, base + path, signal);
    const { isIndex, paths } = await pages.readSitemapPaths({ path, source });
    return { isIndex, paths: paths.map((one) => withoutStart(basePath, one)) };
  };
  for (const name of ['/sitemap.xml', '/sitemap-index.xml', '/sitemap_index.xml']) {
    const { isIndex, paths } = await pathsIn(name);
    if (paths.length === 0) continue;
    if (!isIndex) return paths;
    const parts = await Promise.all(paths.slice(0, MOST_SITEMAPS).map(pathsIn));
    return parts.flatMap((part) => (part.isIndex ? [] : part.paths)).slice(0, MOST_URLS);
  }
  return [];
}

/** The live site without its first page and without a slash at its end. */
function baseOf(liveUrl: string): string {
  const { origin, pathname } = parseUrl(liveUrl)!;
  const index = '/index.html';
  const folder = pathname.endsWith(index) ? pathname.slice(0, -index.length) : pathname;
  return origin + trimEndCharacters(folder, '/');
}

const withoutStart = (start: string, path: string) =>
  path.startsWith(`${start}/`) ? path.slice(start.length) : path;

async function readText(send: SendHttp, url: string, signal: AbortSignal): Promise<string> {
  try {
    const { status, body } = await send({ url, headers: {} }, signal);
    return status === 200 ? body.subarray(0, SITEMAP_BYTES).toString() : '';
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    return '';
  }
}
