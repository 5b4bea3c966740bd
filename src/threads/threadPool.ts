import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { type ThreadJob, answeredValue } from './threadAnswer.ts';
import { createWorkerThread, type OverLimit, type WorkerThread } from './workerThread.ts';
import { createFairQueue } from '../fairQueue.ts';

/**
 * For whom a job runs in a worker thread: the organization that the job counts for, and the signal
 * that ends it. Long work outside of the threads, such as a fetch, ends by the same signal.
 */
export interface JobOwner {
  /** Organizations share the threads fairly. */
  organizationId: string;
  /** Aborted when the caller no longer waits. Its calls then fail with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The owner of jobs that let other work go first, such as the jobs of a batch. */
export interface PrioritizedJobOwner extends JobOwner {
  /** Runs a job once no other work has priority. Default: at once. */
  inTurn?: <T>(job: () => Promise<T>) => Promise<T>;
}

/** The owner of jobs for no organization, such as those of operator commands. */
export const serviceJobOwner: JobOwner = { organizationId: '' };

/**
 * Milliseconds of CPU time per job. The largest realistic page needs half of it, a usual page a
 * hundredth.
 */
const CPU_LIMIT = 2_000;
/**
 * Megabytes per job. The largest one measured needs 416, garbage included: a page of 2 MB, its
 * template of 2 MB, and as much in sibling pages.
 */
const MEMORY_LIMIT = 768;
/** The number of threads is the number of cores, within these limits. */
const LEAST_THREADS = 2;
const MOST_THREADS = 5;
/**
 * Milliseconds after which a job counts as slow. For a while, its organization then leaves the last
 * free thread to others. Otherwise each job of the others could wait for a slow one: an
 * organization that is alone may use all threads, and a thread in use can't be taken away.
 */
const SLOW_MS = 400;
const SLOW_FOR_MS = 10_000;
const SLOW_ORGANIZATIONS = 1_000;
/**
 * After an abandoned job, its organization pauses for this many times the job's duration. Without
 * the pause, abandoned requests for lists kept one of two cores busy.
 */
const PAUSE = 4;
const LONGEST_PAUSE_MS = 2_000;

/** How many threads a process has for jobs. */
export const threadCount = () =>
  Math.min(MOST_THREADS, Math.max(LEAST_THREADS, availableParallelism()));

const runAtOnce = <T>(job: () => Promise<T>) => job();

/** The limits of one job. */
export interface ThreadLimits {
  /** Milliseconds of CPU time after which a job fails. */
  cpuLimit?: number | undefined;
  /** Megabytes above which a job fails. */
  memoryLimit?: number | undefined;
}

export interface ThreadPool {
  /**
   * Runs a job as soon as its organization may use a thread.
   * @param worker the URL of the job's module, whose default export is made by `serveFunctions`
   * @param overLimit makes the message of LIMIT_EXCEEDED, for a job over a limit
   * @throws DomainError as the called function does, and as `WorkerThread.run` does
   */
  run(
    worker: URL,
    job: ThreadJob,
    overLimit: OverLimit,
    jobOwner: PrioritizedJobOwner,
  ): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Creates the pool of worker threads, in which pages are read and written: a large page takes a
 * second, and must neither block the process nor exhaust its memory. A job is a call of a function
 * by its name. The pool has these parts:
 *
 * - `threadCalls.ts`: calls as methods of an object. `sharedValues.ts`: arguments shared by jobs.
 * - `threadPool.ts`: which organization's job gets the next thread. `taskPriority.ts`: tasks first.
 * - `workerThread.ts`: one thread, with a limit of CPU time and memory per job (`jobLimits.ts`).
 * - `threadEntry.ts`, `threadAnswer.ts`: what runs inside a thread.
 *
 * For example, `pages.for({ organizationId }).planTargets(…)` runs as the job `{ name:
 * 'planTargets', args: […] }`, and resolves with the function's result, or rejects with
 * LIMIT_EXCEEDED.
 *
 * Threads start on demand. An organization may use all of them while no other one waits. The next
 * free thread goes to the waiting organization that uses the fewest. If a job ends its thread, the
 * restart counts as time of the job's organization.
 */
export function createThreadPool({
  cpuLimit: cpu = CPU_LIMIT,
  memoryLimit: memory = MEMORY_LIMIT,
}: ThreadLimits = {}): ThreadPool {
  const modules = new Set<string>();
  const threads = Array.from({ length: threadCount() }, () =>
    createWorkerThread({ cpu, memory }, modules),
  );
  const idleThreads = new Set(threads);
  const slowOrganizations = new LRUCache<string, true>({
    max: SLOW_ORGANIZATIONS,
    ttl: SLOW_FOR_MS,
  });
  const queue = createFairQueue({
    what: 'a thread',
    places: threads.length,
    leavesLast: (organizationId) => slowOrganizations.has(organizationId),
  });

  function takeThread(): WorkerThread {
    const allIdle = [...idleThreads];
    const thread = allIdle.findLast((candidate) => candidate.isStarted()) ?? allIdle[0]!;
    idleThreads.delete(thread);
    if (idleThreads.size === 1) idleThreads.forEach((lastIdle) => void lastIdle.start());
    return thread;
  }

  return {
    run(worker, job, overLimit, { organizationId, signal, inTurn = runAtOnce }) {
      modules.add(worker.href);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const runJob = async () => {
        const thread = takeThread();
        await thread.start();
        const startedAt = performance.now();
        await thread.run(worker, job, overLimit, signal).then(answeredValue).then(resolve, reject);
        await thread.start();
        const durationMs = performance.now() - startedAt;
        if (durationMs > SLOW_MS) slowOrganizations.set(organizationId, true);
        if (signal?.aborted)
          queue.pause(organizationId, Math.min(PAUSE * durationMs, LONGEST_PAUSE_MS));
        idleThreads.add(thread);
      };
      inTurn(() => queue.run(organizationId, runJob, signal)).catch(reject);
      return promise;
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}
