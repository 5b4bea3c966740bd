import { availableParallelism } from 'node:os';
import { valueOf } from './answer.ts';
import { createThread, type OverLimit, type Thread } from './thread.ts';
import { createFairQueue } from '../fairQueue.ts';

/** Whose work it is. */
export interface Work {
  /** Threads are shared fairly between organizations. */
  organizationId: string;
  /** Gives the work up; its calls then fail with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Work of operators' commands, and other work for no organization. */
export const ownWork: Work = { organizationId: '' };

/**
 * Milliseconds of CPU time for one job: the largest honest page needs half of it, a usual one a
 * hundredth.
 */
const CPU_LIMIT = 2_000;
/**
 * Megabytes for one job: a page of 2 MB made of a template of 2 MB with as much of sisters has 416,
 * with garbage.
 */
const MEMORY_LIMIT = 768;
/** Threads that one organization keeps busy at most. */
const MOST = 4;
/**
 * A job that nobody waits for any more costs its organization a pause, as many times as long as the
 * job took. Without that, abandoned requests for lists kept one of two cores busy.
 */
const PAUSE = 4;
const LONGEST_PAUSE_MS = 2_000;

/** What one job may use. */
export interface ThreadLimits {
  /** Milliseconds of CPU time after which a job is given up. */
  cpuLimit?: number | undefined;
  /** Megabytes over which a job is given up. */
  memoryLimit?: number | undefined;
}

export interface Threads {
  /**
   * Runs a job when a thread is free for its organization.
   * @param worker the job's module. Its default export is one of `answering`
   * @param overLimit the message of the LIMIT_EXCEEDED for a job that takes too much
   * @throws DomainError as the worker threw it, and as `Thread` says
   */
  run<Job>(worker: URL, job: Job, overLimit: OverLimit, work: Work): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Worker threads, which start with the first jobs. One organization gets one thread less than there
 * are cores, so that a core and a started thread are left for the others. The restart of a thread
 * that a job has ended counts as time of that job's organization. All jobs of a process share the
 * threads, so that their memory has one limit.
 */
export function createThreads({
  cpuLimit: cpu = CPU_LIMIT,
  memoryLimit: memory = MEMORY_LIMIT,
}: ThreadLimits = {}): Threads {
  const each = Math.min(MOST, Math.max(1, availableParallelism() - 1));
  const modules = new Set<string>();
  const threads = Array.from({ length: each + 1 }, () => createThread({ cpu, memory }, modules));
  const idle = new Set(threads);
  const queue = createFairQueue({ what: 'a thread', places: threads.length, each });

  function take(): Thread {
    const all = [...idle];
    const thread = all.findLast((one) => one.isStarted()) ?? all[0]!;
    idle.delete(thread);
    if (idle.size === 1) idle.forEach((last) => void last.start());
    return thread;
  }

  return {
    run(worker, job, overLimit, { organizationId, signal }) {
      modules.add(worker.href);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const start = async () => {
        const thread = take();
        const began = performance.now();
        await thread.run(worker, job, overLimit, signal).then(valueOf).then(resolve, reject);
        await thread.start();
        if (signal?.aborted)
          queue.pause(
            organizationId,
            Math.min(PAUSE * (performance.now() - began), LONGEST_PAUSE_MS),
          );
        idle.add(thread);
      };
      queue.run(organizationId, start, signal).catch(reject);
      return promise;
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}
