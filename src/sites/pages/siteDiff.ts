import { listPageFiles } from './templates.ts';
import type { RetainedCommitRef, OpenableSite, PageFile } from '../../contract/site.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import { findChangedPages, differingPaths } from './sitemap/deriveSitemap.ts';
import { unreadableSiteError } from '../git/remote/productionHeads.ts';
import type { PageMethods, PagesPool } from './pages.ts';
import { readPageSource } from './pageSource.ts';
import { createSharedCache } from '../../singleFlight.ts';
import type { GitRepositories, GitRepository, Tree } from '../git/repository.ts';
import type { PageTextChange } from './texts/diffPageTexts.ts';

/** What changed in one page. */
export interface PageDiff {
  slug: string;
  change: 'created' | 'modified' | 'deleted';
  /** Slug of the template with whose texts those of a created page are compared. */
  template?: string;
  texts: PageTextChange[];
}

/** What changed in a site between two commits. */
export interface SiteDiff {
  /** The changed files as a unified diff; null if it would be too large. */
  patch: string | null;
  /** Added pages, then changed ones, then removed ones, each sorted by file name. */
  pages: PageDiff[];
  /** Sentences on what is left out, and why. */
  warnings: string[];
}

/** Two commits of a site. */
export interface ComparedCommits {
  before: RetainedCommitRef;
  after: RetainedCommitRef;
  /** Slug of the page from which the created pages were made, if there is one. */
  template?: string;
}

export interface SiteDiffs {
  /**
   * Compares two commits of a site. Throws UNAVAILABLE if a retry may help, or CONFLICT if the
   * repository can't be read.
   */
  read(site: OpenableSite, commits: ComparedCommits, jobOwner: JobOwner): Promise<SiteDiff>;
}

interface SiteDiffDeps {
  repositories: GitRepositories;
  pages: Pick<PagesPool, 'for'>;
}

const PATCH_BYTES = 2_000_000;
const TEXTS_LENGTH = 1_000_000;
const PAGES_WITH_TEXTS = 200;
const MAX_CACHED_LENGTH = 64_000_000;

/**
 * Makes the function that shows people what a task changed: a patch, and the changed texts of each
 * page. Commits never change, so comparisons are cached, and concurrent callers share one.
 */
export function createSiteDiffs({ repositories, pages }: SiteDiffDeps): SiteDiffs {
  const diffs = createSharedCache<SiteDiff>({
    maxSize: MAX_CACHED_LENGTH,
    sizeOf: (diff) => JSON.stringify(diff).length,
  });
  return {
    async read(site, commits, { organizationId, signal: callerSignal }) {
      const { siteId, repository } = site;
      const key = [
        siteId,
        repository.root,
        commits.before.commit,
        commits.after.commit,
        commits.template,
      ].join(' ');
      const readDiff = (signal: AbortSignal) =>
        compareCommits(
          repositories.open(site),
          pages.for({ organizationId, signal }),
          commits,
          signal,
        );
      try {
        return await diffs.read(key, readDiff, callerSignal);
      } catch (error) {
        throw unreadableSiteError(error);
      }
    },
  };
}

async function compareCommits(
  repository: GitRepository,
  pages: PageMethods,
  commits: ComparedCommits,
  signal: AbortSignal,
): Promise<SiteDiff> {
  const after = await repository.tree(commits.after, signal);
  const before = await repository.tree(commits.before, signal);
  const warnings: string[] = [];
  const template = findTemplatePage(pages, before, commits.template);
  const patch = await repository
    .diff(commits.before, commits.after, { maxBytes: PATCH_BYTES, signal })
    .catch(onCode(['LIMIT_EXCEEDED'], null));
  if (patch === null)
    warnings.push(`The patch is omitted, because it is larger than ${PATCH_BYTES} bytes`);
  return { patch, pages: await pageDiffs({ pages, before, after, template, warnings }), warnings };
}

function findTemplatePage(
  pages: PageMethods,
  tree: Tree,
  slug: string | undefined,
): PageFile | undefined {
  if (slug === undefined) return undefined;
  const [path] = listPageFiles(tree, pages, slug);
  return path === undefined ? undefined : { slug, path };
}

interface ComparedTrees {
  pages: PageMethods;
  before: Tree;
  after: Tree;
  /** The template of the created pages. */
  template: PageFile | undefined;
  warnings: string[];
}

async function pageDiffs(versions: ComparedTrees): Promise<PageDiff[]> {
  const changedFiles = listPageChanges(versions);
  const diffs: PageDiff[] = [];
  for (
    let length = 0;
    length < TEXTS_LENGTH && diffs.length < Math.min(changedFiles.length, PAGES_WITH_TEXTS);
  ) {
    const { slug, path, change } = changedFiles[diffs.length]!;
    const template = change === 'created' ? versions.template : undefined;
    const texts = await readTextChanges(versions, { slug, path }, template?.path ?? path);
    length += JSON.stringify(texts).length;
    diffs.push({ slug, change, ...(template && { template: template.slug }), texts });
  }
  const pagesWithoutTexts = changedFiles
    .slice(diffs.length)
    .map(({ slug, change }) => ({ slug, change, texts: [] }));
  if (pagesWithoutTexts.length > 0)
    versions.warnings.push(
      `The texts of the last ${pagesWithoutTexts.length} pages are omitted, because too many texts changed`,
    );
  return [...diffs, ...pagesWithoutTexts];
}

function listPageChanges({ pages, before, after }: ComparedTrees) {
  const { created, modified, deleted } = findChangedPages(
    pages,
    before,
    after,
    differingPaths(before, after),
  );
  const withChange = (change: PageDiff['change']) => (file: PageFile) => ({ ...file, change });
  return [
    ...created.map(withChange('created')),
    ...modified.map(withChange('modified')),
    ...deleted.map(withChange('deleted')),
  ];
}

/**
 * The texts that differ between both versions, or between a new page and its template. An
 * unreadable page has no texts but a warning, and the patch still shows its changes.
 */
async function readTextChanges(
  { pages, before, after, warnings }: ComparedTrees,
  { slug, path }: PageFile,
  comparedPath: string,
): Promise<PageTextChange[]> {
  const readSource = async (tree: Tree, file: string) =>
    tree.entries.has(file) ? await readPageSource(tree, file) : null;
  try {
    const source = await readSource(before, comparedPath);
    return await pages.compare(await readSource(after, path), source);
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable || error.code === 'GIT_FAILED')
      throw error;
    warnings.push(unreadableTextsWarning(slug, error));
    return [];
  }
}

export const unreadableTextsWarning = (slug: string, { message }: Error) =>
  `${slug}: the texts of the page cannot be read: ${message}`;
