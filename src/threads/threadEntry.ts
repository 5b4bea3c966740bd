import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { Answer, Posted } from './answer.ts';

/**
 * In Linux a thread has a priority of its own. Pages yield to the main thread, which answers
 * requests. Where the service itself yields more, they stay as they are: only root may take less.
 */
const NICE = 5;
if (process.platform === 'linux') setPriority(Math.max(NICE, getPriority()));

/**
 * What a thread is asked: a job for a module whose default export is one of `answering`; null:
 * nothing.
 */
export type Asked = (Posted<unknown> & { worker: string }) | null;

type Module = { default: (posted: Posted<unknown>) => Answer<unknown> };
const load = (worker: string) => import(worker) as Promise<Module>;

async function answer(asked: Asked): Promise<Answer<unknown> | undefined> {
  if (asked === null) return undefined;
  const { worker, ...posted } = asked;
  return (await load(worker)).default(posted);
}

/**
 * Loads the modules before the thread is ready, so that no job pays for that. A module that can't
 * be loaded fails its jobs.
 */
export default Promise.allSettled((workerData as string[]).map(load)).then(() => answer);
