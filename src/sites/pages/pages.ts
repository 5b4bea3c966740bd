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

const pathMethods = {
  /** Whether a path is a page of a known format. */
  isPage: (path: string) => pagePaths.handles(path),
  slugOf: pagePaths.slugOf,
  pathOf: pagePaths.pathOf,
};

/**
 * Everything that parses pages, for one piece of work. Its calls wait for a thread in the
 * organization's queue, and end with the work's signal. They run in threads, so that a huge page
 * never blocks the API.
 */
export type PageMethods = ThreadMethods<PageCalls> & typeof pathMethods;

/** The threads that parse pages. Calls made on the pool itself count as the service's own work. */
export type PagesPool = PooledMethods<PageMethods>;

/** Pages in worker threads. */
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
  if (name === 'namedOutsiders' || name === 'askedDoubles') return 'The request';
  return calledFileName(args) ?? 'The list of files of the site';
}
