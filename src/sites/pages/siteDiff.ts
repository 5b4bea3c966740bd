import type { HeldCommit, OpenableSite, PageFile } from '../../contract/site.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { Work } from '../../threads/threads.ts';
import { changedPages, differingPaths } from './deriveSitemap.ts';
import { unreadable } from '../git/productionHead.ts';
import type { Pages, PagesPool } from './pages.ts';
import { readPageSource } from './pageSource.ts';
import { createSharedCache } from '../../singleFlight.ts';
import type { Repositories, Repository, Tree } from '../git/repository.ts';
import type { TextChange } from './textChanges.ts';

export interface PageDiff {
  slug: string;
  change: 'created' | 'modified' | 'deleted';
  texts: TextChange[];
}

export interface SiteDiff {
  /** The changed files as a unified diff; null if it would be too large. */
  patch: string | null;
  /** Added pages, then changed ones, then removed ones, each sorted by file name. */
  pages: PageDiff[];
  /** Sentences on what is left out, and why. */
  warnings: string[];
}

/** Two commits of a site. */
export interface Commits {
  before: HeldCommit;
  after: HeldCommit;
}

export interface SiteDiffs {
  /** Compares two commits. Throws UNAVAILABLE, CONFLICT if the repository can't be read. */
  read(site: OpenableSite, commits: Commits, work: Work): Promise<SiteDiff>;
}

interface SiteDiffDeps {
  repositories: Repositories;
  pages: Pick<PagesPool, 'for'>;
}

const PATCH_BYTES = 2_000_000;
const TEXTS_LENGTH = 1_000_000;
const PAGES_WITH_TEXTS = 200;
const KEPT_LENGTH = 64_000_000;

/**
 * Compares commits. Commits never change, so concurrent callers share one comparison, and it is
 * cached for a while.
 */
export function createSiteDiffs({ repositories, pages }: SiteDiffDeps): SiteDiffs {
  const diffs = createSharedCache<SiteDiff>({
    maxSize: KEPT_LENGTH,
    sizeOf: (diff) => JSON.stringify(diff).length,
  });
  return {
    async read(site, commits, { organizationId, signal: asker }) {
      const { siteId, repository } = site;
      const key = [siteId, repository.root, commits.before.commit, commits.after.commit].join(' ');
      const make = (signal: AbortSignal) =>
        compare(repositories.open(site), pages.for({ organizationId, signal }), commits, signal);
      try {
        return await diffs.read(key, make, asker);
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

async function compare(
  repository: Repository,
  pages: Pages,
  commits: Commits,
  signal: AbortSignal,
): Promise<SiteDiff> {
  const after = await repository.tree(commits.after, signal);
  const before = await repository.tree(commits.before, signal);
  const warnings: string[] = [];
  const patch = await repository
    .diff(commits.before, commits.after, { maxBytes: PATCH_BYTES, signal })
    .catch(onCode(['LIMIT_EXCEEDED'], null));
  if (patch === null) warnings.push(`The patch is left out: it is over ${PATCH_BYTES} bytes`);
  return { patch, pages: await pageDiffs({ pages, before, after, warnings }), warnings };
}

interface Versions {
  pages: Pages;
  before: Tree;
  after: Tree;
  warnings: string[];
}

async function pageDiffs(versions: Versions): Promise<PageDiff[]> {
  const changed = changesOf(versions);
  const diffs: PageDiff[] = [];
  for (
    let length = 0;
    length < TEXTS_LENGTH && diffs.length < Math.min(changed.length, PAGES_WITH_TEXTS);
  ) {
    const { slug, path, change } = changed[diffs.length]!;
    const texts = await textsOf(versions, { slug, path });
    length += JSON.stringify(texts).length;
    diffs.push({ slug, change, texts });
  }
  const rest = changed.slice(diffs.length).map(({ slug, change }) => ({ slug, change, texts: [] }));
  if (rest.length > 0)
    versions.warnings.push(
      `The texts of the last ${rest.length} pages are left out: too many changed`,
    );
  return [...diffs, ...rest];
}

function changesOf({ pages, before, after }: Versions) {
  const { created, modified, deleted } = changedPages(
    pages,
    before,
    after,
    differingPaths(before, after),
  );
  const named = (change: PageDiff['change']) => (file: PageFile) => ({ ...file, change });
  return [
    ...created.map(named('created')),
    ...modified.map(named('modified')),
    ...deleted.map(named('deleted')),
  ];
}

/**
 * The texts of both versions. An unreadable version is left out with a warning: the patch shows it.
 */
async function textsOf(
  { pages, before, after, warnings }: Versions,
  { slug, path }: PageFile,
): Promise<TextChange[]> {
  const sourceIn = async (tree: Tree) =>
    tree.entries.has(path) ? await readPageSource(tree, path) : null;
  try {
    const source = await sourceIn(before);
    return await pages.compare(await sourceIn(after), source);
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable || error.code === 'GIT_FAILED')
      throw error;
    warnings.push(`${slug}: its texts can't be read: ${error.message}`);
    return [];
  }
}
