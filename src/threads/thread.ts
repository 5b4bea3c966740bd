import { Piscina } from 'piscina';
import { DomainError } from '../errors.ts';
import type { Answer, Begun, PostedJob, ThreadJob } from './answer.ts';
import type { Asked } from './threadEntry.ts';
import { type JobLimits, memoryLimit, watch } from './jobLimits.ts';

/**
 * V8's memory limit, as a multiple of the job's limit. V8 ends the whole process if one allocation
 * exceeds its limit by more than 16 MB, which a growing map may do. `watch` ends the thread long
 * before that.
 */
const ROOM = 3;
const IDLE_MS = 60_000;
/**
 * Megabytes for new objects. V8's default for such a heap is over 100, and each thread would soon
 * fill them.
 */
const YOUNG = 16;
/** Makes the message for a job over a limit, such as `2 s of CPU time`. */
export type OverLimit = (limit: string) => string;

export interface Thread {
  /**
   * Runs a job. The caller must wait for it before it runs another.
   * @param worker the URL of the job's module, whose default export is made by `serve`
   * @throws DomainError LIMIT_EXCEEDED if the job exceeded a limit, UNAVAILABLE (retryable) if the
   *   thread ended for another reason. In both cases the thread has ended. Throws the signal's
   *   reason, once the job is over
   */
  run(worker: URL, job: ThreadJob, overLimit: OverLimit, signal?: AbortSignal): Promise<Answer>;
  isStarted(): boolean;
  /** Starts the thread unless it runs, and waits until it can run jobs. Never throws. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One worker thread. It ends after a minute without a job.
 * @param modules URLs of the modules that it loads when it starts
 */
export function createThread(limits: JobLimits, modules: Set<string>): Thread {
  const loading: string[] = [];
  const pool = new Piscina({
    filename: new URL('./threadEntry.ts', import.meta.url).href,
    workerData: loading,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.memory * ROOM,
      maxYoungGenerationSizeMb: YOUNG,
    },
  });
  pool.on('error', () => undefined); // an idle thread ended: the next job starts another
  let jobs = 0;

  const isStarted = () => pool.threads.length > 0;
  let starting: Promise<void> = Promise.resolve();
  let isClosed = false;
  async function start(): Promise<void> {
    if (isStarted() || isClosed) return starting;
    loading.splice(0, Infinity, ...modules);
    const started = pool.run(null satisfies Asked) as Promise<void>;
    await (starting = started.catch(() => undefined)); // jobs report a failed start
  }

  return {
    async run(worker, job, overLimit, signal) {
      await start();
      signal?.throwIfAborted();
      const end = new AbortController();
      const over = (limit: string) =>
        end.abort(new DomainError('LIMIT_EXCEEDED', overLimit(limit)));
      const number = ++jobs;
      let unwatch: () => void = () => undefined;
      const onBegin = (begun: Begun) => {
        if (begun.number === number)
          unwatch = watch(pool.threads[0]!, { began: begun, limits, signal }, over);
      };
      pool.on('message', onBegin);
      try {
        const asked = { number, job, worker: worker.href } satisfies PostedJob & Asked;
        const answer = (await pool.run(asked, { signal: end.signal })) as Answer;
        signal?.throwIfAborted();
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        end.signal.throwIfAborted();
        if (isOutOfMemory(error))
          throw new DomainError('LIMIT_EXCEEDED', overLimit(memoryLimit(limits)));
        throw new DomainError('UNAVAILABLE', 'A thread ended in the middle of its work', {
          retryable: true,
          cause: error,
        });
      } finally {
        unwatch();
        pool.off('message', onBegin);
      }
    },
    isStarted,
    start,
    async close() {
      isClosed = true;
      await starting; // closing a pool while its thread starts would never end
      await pool.close();
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
