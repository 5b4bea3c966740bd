import { availableParallelism } from 'node:os';
import { Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import { DomainError } from '../../errors.ts';
import { htmlFormat } from '../html/htmlFormat.ts';
import type { Pages } from './pages.ts';
import type { Calls } from './pagesCalls.ts';
import type { PagesAnswer, PagesJob } from './pagesWorker.ts';

/** Milliseconds for one call, without the wait for a thread: no honest page needs a tenth of it. */
const TIME_LIMIT = 20_000;

/**
 * Pages in a small pool of worker threads, which start with the first call.
 * @param options.timeLimit milliseconds after which a page is given up with LIMIT_EXCEEDED
 */
export function createPagesPool({ timeLimit = TIME_LIMIT } = {}): Pages {
  const threads = Math.min(4, availableParallelism());
  const free = new Semaphore(threads);
  const pool = new Piscina<PagesJob, PagesAnswer>({
    filename: new URL('./pagesWorker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
  });

  async function run<Name extends keyof Calls>(call: Name, path: string, ...args: Parameters<Calls[Name]>) {
    const slug = htmlFormat.slugOf(path);
    const answer = await free.runExclusive(() => runJob({ call, slug, args }));
    if ('code' in answer) throw new DomainError(answer.code, answer.message);
    return answer.value as ReturnType<Calls[Name]>;
  }

  async function runJob(job: PagesJob): Promise<PagesAnswer> {
    const signal = AbortSignal.timeout(timeLimit);
    try {
      return await pool.run(job, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      return { code: 'LIMIT_EXCEEDED', message: `Page ${job.slug} takes more than ${timeLimit / 1000} s to read` };
    }
  }

  return {
    isPage: (path) => htmlFormat.handles(path),
    slugOf: (path) => htmlFormat.slugOf(path),
    pathOf: (slug, templatePath) => htmlFormat.pathOf(slug, templatePath),
    read: (page) => run('read', page.path, page),
    readTemplate: (template, sisters) => run('readTemplate', template.path, template, sisters),
    setTexts: (page, texts) => run('setTexts', page.path, page, texts),
    groups: (page) => run('groups', page.path, page),
    addMember: (page, groupId, after) => run('addMember', page.path, page, groupId, after),
    removeMember: (page, groupId, index) => run('removeMember', page.path, page, groupId, index),
    create: (page) => run('create', page.target.path, page),
    linksTo: (page, slug) => run('linksTo', page.path, page, slug),
    links: (page) => run('links', page.path, page),
    images: (page) => run('images', page.path, page),
    anchors: (page) => run('anchors', page.path, page),
    setLink: (page, id, target) => run('setLink', page.path, page, id, target),
    setAlt: (page, id, text) => run('setAlt', page.path, page, id, text),
    move: (page, move) => run('move', page.path, page, move),
    compare: (before, after) => run('compare', (after ?? before)?.path ?? '', before, after),
    frame: (page, framing) => run('frame', page.path, page, framing),
    check: (page) => run('check', page.path, page),
    close: () => pool.close(),
  };
}
