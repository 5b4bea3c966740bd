import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { ThreadAnswer, PostedJob } from './threadAnswer.ts';

/**
 * The priority of threads, which Linux sets per thread. It is lower than that of the main thread,
 * which answers requests. If the whole service runs at an even lower priority, so do the threads:
 * only root may raise it.
 */
const NICE = 5;
if (process.platform === 'linux') setPriority(Math.max(NICE, getPriority()));

/**
 * A request to a thread: a job for a module whose default export is made by `serveFunctions`. null
 * only starts the thread.
 */
export type ThreadRequest = (PostedJob & { worker: string }) | null;

type ServedModule = { default: (posted: PostedJob) => ThreadAnswer };
const loadModule = (worker: string) => import(worker) as Promise<ServedModule>;

async function answerRequest(threadRequest: ThreadRequest): Promise<ThreadAnswer | undefined> {
  if (threadRequest === null) return undefined;
  const { worker, ...posted } = threadRequest;
  return (await loadModule(worker)).default(posted);
}

/**
 * Loads the modules before the first job, so that their loading does not count for it. If a module
 * can't be loaded, the jobs for it fail.
 */
export default Promise.allSettled((workerData as string[]).map(loadModule)).then(
  () => answerRequest,
);
