import { createThreads } from '../../threads.ts';
import type { Agent, GeneratedPage } from '../agent.ts';
import type { WriteJob } from './writeWorker.ts';

const THREADS = 2;

/**
 * `writePage` in worker threads: a hostile context holds up nothing else.
 * @param options.timeLimit milliseconds after which a page is given up with LIMIT_EXCEEDED
 */
export function createWritePool({ timeLimit }: { timeLimit?: number } = {}) {
  const worker = new URL('./writeWorker.ts', import.meta.url);
  const { run, close } = createThreads<WriteJob, GeneratedPage>({ worker, threads: THREADS, timeLimit });
  const generatePage: Agent['generatePage'] = (template, item, signal) => {
    const tooSlow = (seconds: number) =>
      `Page ${item.targetPageSlug} takes more than ${seconds} s to write: shorten its context`;
    return run({ template, item }, tooSlow, signal);
  };
  return { generatePage, close };
}
