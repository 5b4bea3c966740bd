import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { type ThreadJob, valueOf } from './answer.ts';
import { createThread, type OverLimit, type Thread } from './thread.ts';
import { createFairQueue } from '../fairQueue.ts';

/** Whom a job is for. */
export interface Work {
  /** Organizations share the threads fairly. */
  organizationId: string;
  /** Aborted when the caller no longer waits. Its calls then fail with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Work whose jobs let other work go first. */
export interface WorkInTurn extends Work {
  /** Runs a job when it is its turn. Default: at once. */
  inTurn?: <T>(job: () => Promise<T>) => Promise<T>;
}

/** Work for no organization, such as operator commands. */
export const ownWork: Work = { organizationId: '' };

/**
 * Milliseconds of CPU time per job. The largest realistic page needs half of it, a usual page a
 * hundredth.
 */
const CPU_LIMIT = 2_000;
/**
 * Megabytes per job. The largest one measured needs 416, garbage included: a page of 2 MB, its
 * template of 2 MB, and as much in sister pages.
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

const atOnce = <T>(job: () => Promise<T>) => job();

/** The limits of one job. */
export interface ThreadLimits {
  /** Milliseconds of CPU time after which a job fails. */
  cpuLimit?: number | undefined;
  /** Megabytes above which a job fails. */
  memoryLimit?: number | undefined;
}

export interface Threads {
  /**
   * Runs a job as soon as its organization may use a thread.
   * @param worker the URL of the job's module, whose default export is made by `serve`
   * @param overLimit makes the message of LIMIT_EXCEEDED, for a job over a limit
   * @throws DomainError as the worker does, and as `Thread.run` does
   */
  run(worker: URL, job: ThreadJob, overLimit: OverLimit, work: WorkInTurn): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Worker threads, started on demand. An organization may use all of them while no other one waits.
 * The next free thread goes to the waiting organization that uses the fewest. If a job ends its
 * thread, the restart counts as time of the job's organization. All jobs of a process share these
 * threads, so that there is one limit for their memory.
 */
export function createThreads({
  cpuLimit: cpu = CPU_LIMIT,
  memoryLimit: memory = MEMORY_LIMIT,
}: ThreadLimits = {}): Threads {
  const modules = new Set<string>();
  const threads = Array.from({ length: threadCount() }, () =>
    createThread({ cpu, memory }, modules),
  );
  const idle = new Set(threads);
  const slow = new LRUCache<string, true>({ max: SLOW_ORGANIZATIONS, ttl: SLOW_FOR_MS });
  const queue = createFairQueue({
    what: 'a thread',
    places: threads.length,
    leavesLast: (organizationId) => slow.has(organizationId),
  });

  function take(): Thread {
    const all = [...idle];
    const thread = all.findLast((one) => one.isStarted()) ?? all[0]!;
    idle.delete(thread);
    if (idle.size === 1) idle.forEach((last) => void last.start());
    return thread;
  }

  return {
    run(worker, job, overLimit, { organizationId, signal, inTurn = atOnce }) {
      modules.add(worker.href);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const start = async () => {
        const thread = take();
        await thread.start();
        const began = performance.now();
        await thread.run(worker, job, overLimit, signal).then(valueOf).then(resolve, reject);
        await thread.start();
        const ms = performance.now() - began;
        if (ms > SLOW_MS) slow.set(organizationId, true);
        if (signal?.aborted) queue.pause(organizationId, Math.min(PAUSE * ms, LONGEST_PAUSE_MS));
        idle.add(thread);
      };
      inTurn(() => queue.run(organizationId, start, signal)).catch(reject);
      return promise;
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}
