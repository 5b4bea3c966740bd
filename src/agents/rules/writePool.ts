import { Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import { DomainError } from '../../errors.ts';
import type { Agent } from '../agent.ts';
import type { WriteAnswer, WriteJob } from './writeWorker.ts';

const THREADS = 2;
/** Milliseconds for one page, without the wait for a thread: no honest context needs a tenth of it. */
const TIME_LIMIT = 20_000;

/**
 * `writePage` in worker threads, which start with the first page: a hostile context holds up nothing else.
 * @param options.timeLimit milliseconds after which a page is given up with LIMIT_EXCEEDED
 */
export function createWritePool({ timeLimit = TIME_LIMIT } = {}) {
  const free = new Semaphore(THREADS);
  const pool = new Piscina<WriteJob, WriteAnswer>({
    filename: new URL('./writeWorker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: 60_000,
  });

  async function runJob(job: WriteJob, cancel?: AbortSignal): Promise<WriteAnswer> {
    cancel?.throwIfAborted();
    const limit = AbortSignal.timeout(timeLimit);
    try {
      return await pool.run(job, { signal: cancel ? AbortSignal.any([limit, cancel]) : limit });
    } catch (error) {
      cancel?.throwIfAborted();
      if (!limit.aborted) throw error;
      const message = `Page ${job.item.targetPageSlug} takes more than ${timeLimit / 1000} s to write: shorten its context`;
      return { code: 'LIMIT_EXCEEDED', message, retryable: false };
    }
  }

  const generatePage: Agent['generatePage'] = async (template, item, signal) => {
    const answer = await free.runExclusive(() => runJob({ template, item }, signal));
    if ('code' in answer) throw new DomainError(answer.code, answer.message, { retryable: answer.retryable });
    return answer.page;
  };
  return { generatePage, close: () => pool.close() };
}
