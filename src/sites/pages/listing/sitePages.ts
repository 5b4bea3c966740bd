import { LRUCache } from 'lru-cache';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { OpenableSite } from '../../../contract/site.ts';
import { type ErrorCode, onCode } from '../../../errors.ts';
import { createProductionHeads, unreadableSiteError } from '../../git/remote/productionHeads.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import { createFairQueue } from '../../../fairQueue.ts';
import type { PageMethods, PagesPool } from '../pages.ts';
import type { LastChange } from '../../git/history/lastChanges.ts';
import type { GitRepositories, Tree } from '../../git/repository.ts';
import { packFileNames } from './fileNames.ts';
import { isRegular, readPageSource } from '../pageSource.ts';
import { checkSlug } from '../urls/slug.ts';
import { createSharedCache } from '../../../singleFlight.ts';
/** A page in the list of a site's pages. */
export interface SitePage {
  slug: string;
  /** The page's title, or its slug if it has no title. */
  title: string;
  /** Whether new pages can be generated from it. */
  template: boolean;
  /** The time, author and task of its file's last change; null if the change is too long ago. */
  changedAt: string | null;
  changedBy: string | null;
  taskId: string | null;
  /**
   * Whether the last change was a person's edit of a task's result. `editor`: the person's id, as
   * the commit says.
   */
  isByHand?: true;
  editor?: string;
}

/** A part of the list: as many pages as were requested. */
export interface SitePagesPart {
  /** The commit that the list was read from. */
  commit: string;
  /** Sorted by slug. */
  pages: SitePage[];
  /** Whether there are more after the last one. */
  more: boolean;
}

export interface SitePages {
  /**
   * Lists pages at the head of the site's production branch.
   * @param part.after only pages whose slugs sort after this one
   * @param part.limit most pages to return
   * @throws DomainError UNAVAILABLE if a retry may help; CONFLICT if the repository can't be read
   */
  list(
    site: OpenableSite,
    part: { after?: string; limit: number },
    jobOwner: JobOwner,
  ): Promise<SitePagesPart>;
}

/** A page's title and whether it is readable, by its blob. */
interface TitleReading {
  /** Null if the page has no title. */
  title: string | null;
  readable: boolean;
}

/** Cached readings. Blobs never change, so a reading holds for every commit with that blob. */
const KNOWN_READINGS = 100_000;
/** Most pages in the cached lists, over all sites. */
const LISTED_PAGES = 400_000;
/** Pages that are read, and held in memory, at the same time. */
const AT_ONCE = { what: 'a turn to read pages', places: 12, perCaller: 8 };

export interface SitePagesDeps {
  repositories: GitRepositories;
  pages: Pick<PagesPool, 'for'>;
  /** Milliseconds to wait for the remote. */
  answerWithin?: number;
}

/**
 * Makes the list of sites' pages, for people and clients: `{ slug: '/about', title: 'About us',
 * changedBy: 'Ana', … }`. Parsing takes milliseconds per page, so large sites are read in parts,
 * and titles are cached by blob.
 */
export function createSitePages(deps: SitePagesDeps): SitePages {
  const { repositories } = deps;
  const heads = createProductionHeads(repositories, deps);
  const cachedReadings = new LRUCache<string, TitleReading>({ max: KNOWN_READINGS });
  const lists = createSharedCache<string[]>({
    maxSize: LISTED_PAGES,
    sizeOf: ({ length }) => length + 1,
  });
  const histories = createSharedCache<ReadonlyMap<string, LastChange>>({
    maxSize: LISTED_PAGES,
    sizeOf: ({ size }) => size + 1,
  });
  const queue = createFairQueue(AT_ONCE);

  function listPaths({
    site,
    tree,
    jobOwner: { organizationId, signal },
  }: PageListing): Promise<string[]> {
    const key = [site.siteId, tree.commit, site.repository.root].join(' ');
    return lists.read(
      key,
      (endSignal) => readPagePaths(tree, deps.pages.for({ organizationId, signal: endSignal })),
      signal,
    );
  }

  /**
   * The last changes of files. If the history can't be read in time, there are none, and the list
   * does not say when its pages were changed.
   */
  function readHistory({ site, tree: { commit }, jobOwner: { signal } }: PageListing) {
    const key = [site.siteId, commit, site.repository.root].join(' ');
    const loadHistory = (endSignal: AbortSignal) =>
      repositories
        .open(site)
        .lastChanges(commit, endSignal)
        .catch(() => {
          endSignal.throwIfAborted();
          return noChanges;
        });
    return histories.read(key, loadHistory, signal);
  }

  async function readOnce(
    { site, tree, pages, jobOwner }: PageListing,
    path: string,
  ): Promise<TitleReading> {
    const { id } = tree.entries.get(path)!;
    if (!isRegular(tree, path)) return unreadablePage;
    const key = `${site.siteId} ${id}`;
    const loadPage = () => readPage(pages, tree, path).catch(onCode(UNREADABLE, unreadablePage));
    const reading =
      cachedReadings.get(key) ??
      (await queue.run(jobOwner.organizationId, loadPage, jobOwner.signal));
    cachedReadings.set(key, reading);
    return reading;
  }

  return {
    async list(site, { after, limit }, jobOwner) {
      const commit = await heads.find(site, jobOwner.signal);
      const tree = await repositories
        .open(site)
        .tree({ commit, retainedBy: null }, jobOwner.signal)
        .catch(throwUnreadable);
      const pages = deps.pages.for(jobOwner);
      const listing = { site, tree, pages, jobOwner };
      const changes = await readHistory(listing);
      const paths = await listPaths(listing);
      const firstIndex =
        after === undefined ? 0 : findFirstIndex(paths, (path) => pages.slugOf(path) > after);
      const listedPages = paths.slice(firstIndex, firstIndex + limit).map(async (path) => {
        const slug = pages.slugOf(path);
        const { title, readable } = await readOnce(listing, path);
        const change = changes.get(path);
        return {
          slug,
          title: title ?? slug,
          template: readable && isRequestableSlug(slug),
          changedAt: change?.at ?? null,
          changedBy: change?.by ?? null,
          taskId: change?.taskId ?? null,
          ...withoutUndefined({ isByHand: change?.isByHand, editor: change?.editor }),
        };
      });
      return {
        commit,
        pages: await Promise.all(listedPages),
        more: paths.length > firstIndex + limit,
      };
    },
  };
}

/** The paths of a tree's pages, sorted by slug. */
async function readPagePaths({ entries }: Tree, pages: PageMethods): Promise<string[]> {
  const joinedPaths = await pages.listPages(packFileNames(entries.values()));
  return joinedPaths === '' ? [] : joinedPaths.split('\0');
}

/** One request for a part of a site's pages. */
interface PageListing {
  site: OpenableSite;
  tree: Tree;
  pages: PageMethods;
  jobOwner: JobOwner;
}

/** The index of the first path for which `isBehind` holds. It also holds for all later paths. */
function findFirstIndex(paths: string[], isBehind: (path: string) => boolean): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(paths[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Whether a request can name the page. Files in a repository may have names that are not valid
 * slugs.
 */
function isRequestableSlug(slug: string): boolean {
  const slugCheck = checkSlug(slug, { exists: true });
  return 'slug' in slugCheck && slugCheck.slug === slug;
}

const noChanges: ReadonlyMap<string, LastChange> = new Map();

const UNREADABLE: ErrorCode[] = ['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'];
const unreadablePage: TitleReading = { title: null, readable: false };

async function readPage(pages: PageMethods, tree: Tree, path: string): Promise<TitleReading> {
  const { title, slug } = await pages.read(await readPageSource(tree, path));
  return { title: title === slug ? null : title, readable: true };
}

function throwUnreadable(error: unknown): never {
  throw unreadableSiteError(error);
}
