import {
  bindThreadCalls,
  type PooledMethods,
  createPooledMethods,
  type ThreadMethods,
} from '../../threads/threadCalls.ts';
import { createThreadPool } from '../../threads/threadPool.ts';
import { pagePaths } from '../formats/paths.ts';
import { calledFileName } from './calledFile.ts';
import type { PageCalls } from './pageCalls.ts';

/*
 * Pages of sites: everything that reads, checks and changes page files. Parsing runs in worker
 * threads, so that a huge page never blocks the API.
 *
 *   const pool = createPagesPool();
 *   const pages = pool.for({ organizationId, signal }); // for one piece of work
 *   pages.slugOf('locations/austin.html'); // '/locations/austin', without a thread
 *   await pages.read({ path: 'locations/austin.html', source }); // the title, the texts, …
 *
 * - `pageCalls.ts`: the calls that run in threads; `pagesWorker.ts` serves them there
 * - `listing/`: lists a site's pages, plans the files of new pages, and checks a new repository
 * - `texts/`: the texts of a page, to edit or to compare
 * - `links/`: adds links to new pages to the pages that should list them
 * - `sitemap/`: updates the site's sitemaps when pages are added or removed
 * - `urls/`: slugs, URL paths, hosts, and which file a host serves for a path
 */

const pathMethods = {
  /** Whether a path is a page of a known format. */
  isPage: (path: string) => pagePaths.handles(path),
  slugOf: pagePaths.slugOf,
  pathOf: pagePaths.pathOf,
};

/**
 * The functions for pages, for one piece of work. Calls that parse wait for a thread in the
 * organization's queue, and end when the work's signal aborts.
 */
export type PageMethods = ThreadMethods<PageCalls> & typeof pathMethods;

/**
 * The threads that parse pages. `for` returns the functions for an organization's work. Calls on
 * the pool itself count as the service's own work.
 */
export type PagesPool = PooledMethods<PageMethods>;

/** Makes the pool. Its threads run `pagesWorker.ts`. */
export const createPagesPool = (threads = createThreadPool()): PagesPool =>
  createPooledMethods(
    threads,
    bindThreadCalls<PageCalls>(threads, {
      worker: new URL('./pagesWorker.ts', import.meta.url),
      overLimit: (limit, name, args) =>
        `${describeCall(name, args)} took more than ${limit} to read`,
      shared: { create: ['template', 'siblings', 'sitePaths'], check: ['before', 'sitePaths'] },
    }),
    pathMethods,
  );

function describeCall(name: keyof PageCalls, args: unknown[]): string {
  if (name === 'areReferencesNamed' || name === 'areDuplicatesRequested') return 'The request';
  return calledFileName(args) ?? 'The list of files of the site';
}
