import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import type { OpenableSite } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { createHeads, unreadable } from '../git/head.ts';
import type { Pages } from './pages.ts';
import type { Repositories, Tree, TreeEntry } from '../git/repository.ts';
import { checkSlug } from './slug.ts';
import { isRegular } from './template.ts';

export interface SitePage {
  slug: string;
  /** The page's own, else its slug. */
  title: string;
  /** Whether new pages can be generated from it. */
  template: boolean;
}

export interface SitePagesPart {
  /** The commit that the pages are of. */
  commit: string;
  /** Sorted by slug. */
  pages: SitePage[];
  /** Whether there are more after the last one. */
  more: boolean;
}

export interface SitePages {
  /**
   * Pages at the head of the site's production branch.
   * @param part.after only pages whose slug sorts after this one
   * @param part.limit how many at most
   * @throws DomainError UNAVAILABLE, CONFLICT where the repository can't be read
   */
  list(site: OpenableSite, part: { after?: string; limit: number }): Promise<SitePagesPart>;
}

/** What the bytes of a page tell. */
interface Reading {
  /** Null where it has none. */
  title: string | null;
  readable: boolean;
}

/** Bytes never change under their id: what was read of them holds for every commit. */
const KNOWN_READINGS = 100_000;
/** Pages that are held in memory at once to be read. */
const AT_ONCE = 8;

/** Lists sites' pages. Parsing takes milliseconds a page, so that large sites are read part by part. */
export function createSitePages(deps: { repositories: Repositories; pages: Pages; answerWithin?: number }): SitePages {
  const { repositories, pages } = deps;
  const heads = createHeads(repositories, deps);
  const known = new LRUCache<string, Reading>({ max: KNOWN_READINGS });
  const turns = new Semaphore(AT_ONCE);

  async function readOnce(siteId: string, tree: Tree, { id, path, size }: TreeEntry): Promise<Reading> {
    if (!isRegular(tree, path) || size > limits.pageBytes) return unreadablePage;
    const key = `${siteId} ${id}`;
    const reading = known.get(key) ?? (await turns.runExclusive(() => readPage(pages, tree, path)));
    known.set(key, reading);
    return reading;
  }

  return {
    async list(site, { after, limit }) {
      const commit = await heads.find(site);
      const tree = await repositories.open(site).tree({ commit, heldBy: null }).catch(throwUnreadable);
      const files = pageFiles(tree, pages).filter(({ slug }) => after === undefined || slug > after);
      const listed = files.slice(0, limit).map(async ({ slug, entry }) => {
        const { title, readable } = await readOnce(site.siteId, tree, entry);
        return { slug, title: title ?? slug, template: readable && isName(slug) };
      });
      return { commit, pages: await Promise.all(listed), more: files.length > limit };
    },
  };
}

/** One file for each slug, sorted: the one that visitors get, and that `findTemplate` takes. */
function pageFiles(tree: Tree, pages: Pages): { slug: string; entry: TreeEntry }[] {
  const bySlug = new Map<string, TreeEntry>();
  for (const entry of tree.entries.values()) {
    if (!pages.isPage(entry.path)) continue;
    const slug = pages.slugOf(entry.path);
    const known = bySlug.get(slug);
    if (!known || (!isRegular(tree, known.path) && isRegular(tree, entry.path))) bySlug.set(slug, entry);
  }
  return [...bySlug].map(([slug, entry]) => ({ slug, entry })).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** Whether a request can name the page: files in the repository may have names that no slug may have. */
function isName(slug: string): boolean {
  const checked = checkSlug(slug, { root: true });
  return 'slug' in checked && checked.slug === slug;
}

const unreadablePage: Reading = { title: null, readable: false };

async function readPage(pages: Pages, tree: Tree, path: string): Promise<Reading> {
  try {
    const { title, slug } = await pages.read({ path, source: await tree.read(path) });
    return { title: title === slug ? null : title, readable: true };
  } catch (error) {
    if (error instanceof DomainError && ['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'].includes(error.code))
      return unreadablePage;
    throw error;
  }
}

function throwUnreadable(error: unknown): never {
  throw unreadable(error);
}
