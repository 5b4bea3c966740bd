import type { PageUrlProposal, SiteFinding } from '../contract/responses.ts';
import type { PageUrlRule } from '../contract/site.ts';
import { listFirstNames, trimEndCharacters } from '../contract/text/summaries.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';
import { DomainError } from '../errors.ts';
import type { SendHttp } from '../forges/forgeProject.ts';
import { isDataFile } from '../sites/dataFiles/entryPaths.ts';
import { formatAt } from '../sites/formats/paths.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { FittingRule } from '../sites/pages/generators/proposeUrlRule.ts';
import { createUrlPathFinder } from '../sites/pages/generators/urlPathFinder.ts';
import { collectionFolder } from '../sites/pages/generators/urlPatterns.ts';
import { isReadablePage } from '../sites/pages/pageSource.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import {
  type DataFileCheckCalls,
  findCandidateDataFiles,
  findEnds,
  findEntryEnds,
  hasDataFile,
  fitsSeveralEntries,
} from './dataFileCheck.ts';

/*
 * Finds the pages in Markdown of a new site whose URLs are not known, and proposes rules for them
 * that fit the sitemap of the live site. A person confirms or corrects the rules.
 */

type UrlCalls = DataFileCheckCalls &
  Pick<PageMethods, 'isPage' | 'proposeUrlRule' | 'readSitemapPaths'>;

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

/**
 * @returns the folders of pages whose URLs are not known, and the data files whose entries look
 *   like pages of the live site
 */
export async function findUnknownPageUrls(
  deps: PageUrlCheckDeps,
  { tree, rules, liveUrl }: PageUrlCheckInput,
  signal: AbortSignal,
): Promise<PageUrlProposal[]> {
  const paths = [...tree.entries.values()]
    .filter((entry) => formatAt(entry.path) === 'markdown' && isReadablePage(deps.pages, entry))
    .filter(({ text }) => text === undefined)
    .map(({ path }) => path);
  const folders = [...Map.groupBy(paths, collectionFolder)].slice(0, MOST_FOLDERS);
  const urlPathOf = createUrlPathFinder(deps.pages, tree, rules);
  const unknownFolders: [folder: string, samples: string[], count: number][] = [];
  for (const [folder, folderPaths] of folders) {
    const samples = folderPaths.slice(0, MOST_SAMPLES);
    const urlPaths = await Promise.all(samples.map(urlPathOf));
    if (urlPaths.includes(null)) unknownFolders.push([folder, samples, folderPaths.length]);
  }
  const dataFiles = liveUrl === null ? [] : await findCandidateDataFiles(deps.pages, tree, rules);
  const isUnknown = unknownFolders.length + dataFiles.length > 0;
  const siteUrl = isUnknown && liveUrl !== null ? liveUrl : null;
  const livePaths = siteUrl === null ? [] : await readSitemap(deps, siteUrl, signal);
  const folderProposals = await Promise.all(
    unknownFolders.map(async ([folder, samples, count]) => {
      const ends = await Promise.all(
        samples.map((path) =>
          findEnds(path, (pattern) =>
            createUrlPathFinder(deps.pages, tree, [{ folder, pattern }])(path),
          ),
        ),
      );
      const rule = await deps.pages.proposeUrlRule(folder, ends, livePaths);
      return presentProposal({ folder, count, rule, siteUrl });
    }),
  );
  const dataProposals = dataFiles.map(async (file) => {
    const ends = await findEntryEnds(deps.pages, file);
    const rule = await deps.pages.proposeUrlRule(file.path, ends, livePaths);
    const isFitting =
      rule && (await fitsSeveralEntries(deps.pages, file, { rule, urlPaths: livePaths }));
    const { path: folder, count } = file;
    return isFitting ? [presentProposal({ folder, count, rule, siteUrl })] : [];
  });
  return [...folderProposals, ...(await Promise.all(dataProposals)).flat()];
}

interface FoundProposal {
  folder: string;
  count: number;
  rule: FittingRule | null;
  siteUrl: string | null;
}

const presentProposal = ({ folder, count, rule, siteUrl }: FoundProposal): PageUrlProposal => ({
  folder,
  pages: count,
  pattern: rule?.pattern ?? null,
  example: rule && { path: rule.example.path, url: baseOf(siteUrl!) + rule.example.urlPath },
});

/** The warning about pages whose URLs are not known, and about entries that look like pages. */
export function unknownUrlWarnings(proposals: PageUrlProposal[]): SiteFinding[] {
  const names = proposals.map(({ folder }) => folder || 'the top folder');
  const [folders, files] = [
    names.filter((name) => !isDataFile(name)),
    names.filter((name) => isDataFile(name)),
  ];
  const sentences = [
    ...(folders.length > 0
      ? [
          `The configuration of the site does not say at which URLs the pages in ${listFirstNames(folders, 'folders')} are. Add a rule for each folder. Without a rule, tasks do not find the new pages, and report no URLs for them.`,
        ]
      : []),
    ...(files.length > 0
      ? [
          `The live site has pages for the entries of ${listFirstNames(files, 'data files')}. Add a rule for each file to make its entries pages. Without a rule, they are not pages for this service.`,
        ]
      : []),
  ];
  return sentences.length === 0 ? [] : [{ code: 'page-urls', message: sentences.join(' ') }];
}

/** The warning about rules for data files that the site does not have. */
export function missingDataFileWarnings(tree: Tree, rules: PageUrlRule[]): SiteFinding[] {
  const missing = rules
    .map(({ folder }) => folder)
    .filter((folder) => isDataFile(folder) && !hasDataFile(tree, folder));
  if (missing.length === 0) return [];
  const message = `There are rules for data files that the site does not have: ${listFirstNames(missing, 'data files')}. Correct their paths, or remove the rules.`;
  return [{ code: 'page-urls', message }];
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
