import { LRUCache } from 'lru-cache';
import { defined } from '../../contract/defined.ts';
import type { OpenableSite } from '../../contract/site.ts';
import { type ErrorCode, onCode } from '../../errors.ts';
import { createHeads, unreadable } from '../git/productionHead.ts';
import type { Work } from '../../threads/threads.ts';
import { createFairQueue } from '../../fairQueue.ts';
import type { Pages, PagesPool } from './pages.ts';
import type { LastChange } from '../git/lastChanges.ts';
import type { Repositories, Tree } from '../git/repository.ts';
import { fileNames } from './fileNames.ts';
import { isRegular, readPageSource } from './pageSource.ts';
import { checkSlug } from './slug.ts';
import { createSharedCache } from '../../singleFlight.ts';
export interface SitePage {
  slug: string;
  /** The page's title, else its slug. */
  title: string;
  /** Whether new pages can be generated from it. */
  template: boolean;
  /** The time, author and task of its file's last change; null if the change is too long ago. */
  changedAt: string | null;
  changedBy: string | null;
  taskId: string | null;
  /**
   * Whether the last change was an edit by hand on top of a task's result. `editor`: the person's
   * id, as the commit says.
   */
  isByHand?: true;
  editor?: string;
}

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
   * @param part.limit how many at most
   * @throws DomainError UNAVAILABLE, CONFLICT if the repository can't be read
   */
  list(
    site: OpenableSite,
    part: { after?: string; limit: number },
    work: Work,
  ): Promise<SitePagesPart>;
}

/** A page's title and whether it is readable, by its blob. */
interface Reading {
  /** Null if the page has no title. */
  title: string | null;
  readable: boolean;
}

/** Cached readings. Blobs never change, so a reading holds for every commit with that blob. */
const KNOWN_READINGS = 100_000;
/** Most pages in the cached lists, over all sites. */
const LISTED_PAGES = 400_000;
/** Pages that are read, and held in memory, at the same time. */
const AT_ONCE = { what: 'a turn to read pages', places: 12, each: 8 };

export interface SitePagesDeps {
  repositories: Repositories;
  pages: Pick<PagesPool, 'for'>;
  /** Milliseconds to wait for the remote. */
  answerWithin?: number;
}

/** Lists sites' pages. Parsing takes milliseconds per page, so large sites are read in parts. */
export function createSitePages(deps: SitePagesDeps): SitePages {
  const { repositories } = deps;
  const heads = createHeads(repositories, deps);
  const known = new LRUCache<string, Reading>({ max: KNOWN_READINGS });
  const lists = createSharedCache<string[]>({
    maxSize: LISTED_PAGES,
    sizeOf: ({ length }) => length + 1,
  });
  const histories = createSharedCache<ReadonlyMap<string, LastChange>>({
    maxSize: LISTED_PAGES,
    sizeOf: ({ size }) => size + 1,
  });
  const queue = createFairQueue(AT_ONCE);

  function listPaths({ site, tree, work: { organizationId, signal } }: Listing): Promise<string[]> {
    const key = [site.siteId, tree.commit, site.repository.root].join(' ');
    return lists.read(
      key,
      (end) => pathsOf(tree, deps.pages.for({ organizationId, signal: end })),
      signal,
    );
  }

  /**
   * The last changes of files. Empty if the history can't be read in time: then pages have no last
   * changes.
   */
  function readHistory({ site, tree: { commit }, work: { signal } }: Listing) {
    const key = [site.siteId, commit, site.repository.root].join(' ');
    const read = (end: AbortSignal) =>
      repositories
        .open(site)
        .lastChanges(commit, end)
        .catch(() => {
          end.throwIfAborted();
          return nothing;
        });
    return histories.read(key, read, signal);
  }

  async function readOnce({ site, tree, pages, work }: Listing, path: string): Promise<Reading> {
    const { id } = tree.entries.get(path)!;
    if (!isRegular(tree, path)) return unreadablePage;
    const key = `${site.siteId} ${id}`;
    const read = () => readPage(pages, tree, path).catch(onCode(UNREADABLE, unreadablePage));
    const reading = known.get(key) ?? (await queue.run(work.organizationId, read, work.signal));
    known.set(key, reading);
    return reading;
  }

  return {
    async list(site, { after, limit }, work) {
      const commit = await heads.find(site, work.signal);
      const tree = await repositories
        .open(site)
        .tree({ commit, heldBy: null }, work.signal)
        .catch(throwUnreadable);
      const pages = deps.pages.for(work);
      const listing = { site, tree, pages, work };
      const changes = await readHistory(listing);
      const paths = await listPaths(listing);
      const from =
        after === undefined ? 0 : indexBehind(paths, (path) => pages.slugOf(path) > after);
      const listed = paths.slice(from, from + limit).map(async (path) => {
        const slug = pages.slugOf(path);
        const { title, readable } = await readOnce(listing, path);
        const change = changes.get(path);
        return {
          slug,
          title: title ?? slug,
          template: readable && isName(slug),
          changedAt: change?.at ?? null,
          changedBy: change?.by ?? null,
          taskId: change?.taskId ?? null,
          ...defined({ isByHand: change?.isByHand, editor: change?.editor }),
        };
      });
      return { commit, pages: await Promise.all(listed), more: paths.length > from + limit };
    },
  };
}

/** The paths of a tree's pages, by slug. */
async function pathsOf({ entries }: Tree, pages: Pages): Promise<string[]> {
  const listed = await pages.listPages(fileNames(entries.values()));
  return listed === '' ? [] : listed.split('\0');
}

/** One request for a part of a site's pages. */
interface Listing {
  site: OpenableSite;
  tree: Tree;
  pages: Pages;
  work: Work;
}

/** The index of the first path for which `isBehind` holds. It also holds for all later paths. */
function indexBehind(paths: string[], isBehind: (path: string) => boolean): number {
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
function isName(slug: string): boolean {
  const checked = checkSlug(slug, { exists: true });
  return 'slug' in checked && checked.slug === slug;
}

const nothing: ReadonlyMap<string, LastChange> = new Map();

const UNREADABLE: ErrorCode[] = ['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'];
const unreadablePage: Reading = { title: null, readable: false };

async function readPage(pages: Pages, tree: Tree, path: string): Promise<Reading> {
  const { title, slug } = await pages.read(await readPageSource(tree, path));
  return { title: title === slug ? null : title, readable: true };
}

function throwUnreadable(error: unknown): never {
  throw unreadable(error);
}
