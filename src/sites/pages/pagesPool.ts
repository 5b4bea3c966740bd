import { type InThreads, pooled } from '../../threads/callsInThreads.ts';
import { pack } from '../../threads/sharedValues.ts';
import { createThreads, type Work } from '../../threads/threads.ts';
import { pagePaths } from '../formats/paths.ts';
import { partOf, pathIn } from './callParts.ts';
import type { PageCalls, Pages, PagesPool } from './pages.ts';
import type { PagesJob } from './pagesWorker.ts';
import { SITEMAP } from './derivedFiles.ts';

type Name = keyof PageCalls;

/** Pages in worker threads. */
export function createPagesPool(threads = createThreads()): PagesPool {
  const worker = new URL('./pagesWorker.ts', import.meta.url);
  const inThread =
    (work: Work, call: Name) =>
    (...args: unknown[]) => {
      const path = pathIn(args);
      const name = path === null ? null : nameOf(path);
      const what =
        name ??
        (call === 'namedOutsiders' || call === 'askedDoubles'
          ? 'The request'
          : "The list of the site's files");
      const overLimit = (limit: string) => `${what} takes more than ${limit} to read`;
      const [first, ...rest] = args;
      const packed = call in common ? [pack(first as object, common[call]!), ...rest] : args;
      return threads.run<PagesJob>(worker, { call, name, args: packed }, overLimit, work);
    };
  const names = Object.keys(partOf) as Name[];
  const pagesFor = (work: Work): Pages => ({
    isPage: (path) => pagePaths.handles(path),
    slugOf: (path) => pagePaths.slugOf(path),
    pathOf: (slug, templatePath) => pagePaths.pathOf(slug, templatePath),
    ...(Object.fromEntries(
      names.map((call) => [call, inThread(work, call)]),
    ) as InThreads<PageCalls>),
  });
  return pooled(threads, pagesFor);
}

/** Fields of the arguments that are the same for all pages of one step. */
const common: Partial<Record<Name, string[]>> = {
  create: ['template', 'sisters', 'sitePaths'],
  check: ['before', 'sitePaths'],
};

/** How an error names the page or file. */
const nameOf = (path: string) =>
  pagePaths.handles(path) || path === SITEMAP || path === ''
    ? `Page ${pagePaths.slugOf(path)}`
    : path;
