import { availableParallelism } from 'node:os';
import { createThreads } from '../../threads.ts';
import { htmlFormat } from '../html/htmlFormat.ts';
import type { PageCalls, Pages } from './pages.ts';
import { calls } from './pagesCalls.ts';
import type { PagesJob } from './pagesWorker.ts';

type Name = keyof PageCalls;

/**
 * Pages in a small pool of worker threads, which start with the first call.
 * @param options.timeLimit milliseconds after which a page is given up with LIMIT_EXCEEDED
 */
export function createPagesPool({ timeLimit }: { timeLimit?: number } = {}): Pages {
  const { run, close } = createThreads<PagesJob, unknown>({
    worker: new URL('./pagesWorker.ts', import.meta.url),
    threads: Math.min(4, availableParallelism()),
    timeLimit,
  });
  const inThread =
    (call: Name) =>
    (...args: unknown[]) => {
      const slug = htmlFormat.slugOf(pageOf(call, args));
      return run({ call, slug, args }, (seconds) => `Page ${slug} takes more than ${seconds} s to read`);
    };
  const names = Object.keys(calls) as Name[];
  return {
    isPage: (path) => htmlFormat.handles(path),
    slugOf: (path) => htmlFormat.slugOf(path),
    pathOf: (slug, templatePath) => htmlFormat.pathOf(slug, templatePath),
    ...(Object.fromEntries(names.map((call) => [call, inThread(call)])) as InThreads),
    close,
  };
}

type InThreads = Pick<Pages, Name>;

/** Which page a call is about, where that is not its first argument. */
const pages: { [Call in Name]?: (...args: Parameters<PageCalls[Call]>) => string } = {
  create: ({ target }) => target.path,
  compare: (before, after) => (after ?? before)?.path ?? '',
};

/** The path of the page that a call is about. */
function pageOf(call: Name, args: unknown[]): string {
  const find = pages[call] as ((...args: unknown[]) => string) | undefined;
  return find ? find(...args) : (args[0] as { path: string }).path;
}
