import { callsIn, type Pooled, pooled, type ThreadMethods } from '../../threads/calls.ts';
import { createThreads } from '../../threads/threads.ts';
import { pagePaths } from '../formats/paths.ts';
import { nameIn } from './calledFile.ts';
import type { PageCalls } from './pagesCalls.ts';

const paths = {
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
export type Pages = ThreadMethods<PageCalls> & typeof paths;

/** The threads that parse pages. Calls made on the pool itself count as the service's own work. */
export type PagesPool = Pooled<Pages>;

/** Pages in worker threads. */
export const createPagesPool = (threads = createThreads()): PagesPool =>
  pooled(
    threads,
    callsIn<PageCalls>(threads, {
      worker: new URL('./pagesWorker.ts', import.meta.url),
      overLimit: (limit, name, args) => `${whatTakes(name, args)} takes more than ${limit} to read`,
      shared: { create: ['template', 'sisters', 'sitePaths'], check: ['before', 'sitePaths'] },
    }),
    paths,
  );

function whatTakes(name: keyof PageCalls, args: unknown[]): string {
  if (name === 'namedOutsiders' || name === 'askedDoubles') return 'The request';
  return nameIn(args) ?? "The list of the site's files";
}
