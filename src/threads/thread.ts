import { Piscina } from 'piscina';
import { DomainError } from '../errors.ts';
import type { Answer, Begun, Posted } from './answer.ts';
import type { Asked } from './threadEntry.ts';
import { type JobLimits, memoryLimit, watch } from './jobLimits.ts';

/**
 * V8's own limit, as a multiple of a job's. V8 ends the whole process where one allocation goes
 * over its limit by more than 16 MB, as a growing map may. Well before that, the watch ends the
 * thread.
 */
const ROOM = 3;
const IDLE_MS = 60_000;
/**
 * Megabytes of new objects. V8's own limit for such a heap is over 100, which each thread would
 * soon fill.
 */
const YOUNG = 16;
/** A failure's message, given the limit that the job went over: `2 s of CPU time`. */
export type OverLimit = (limit: string) => string;

export interface Thread {
  /**
   * Runs a job. Nothing else runs there meanwhile.
   * @param worker the job's module. Its default export is one of `answering`
   * @throws DomainError LIMIT_EXCEEDED where the job went over a limit, UNAVAILABLE (retryable)
   *   where the thread was ended by something else; in both cases the thread has ended. The
   *   signal's reason, once the job is over.
   */
  run<Job, Value>(
    worker: URL,
    job: Job,
    overLimit: OverLimit,
    signal?: AbortSignal,
  ): Promise<Answer<Value>>;
  isStarted(): boolean;
  /** Starts the thread where it has ended, and resolves when it can do jobs. Never fails. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One worker thread, which ends after a minute without a job.
 * @param modules what it loads when it starts
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
  pool.on('error', () => undefined); // of a thread that ended while it was idle: the next job starts another one
  let jobs = 0;

  const isStarted = () => pool.threads.length > 0;
  let starting: Promise<void> = Promise.resolve();
  let isClosed = false;
  async function start(): Promise<void> {
    if (isStarted() || isClosed) return starting;
    loading.splice(0, Infinity, ...modules);
    const started = pool.run(null satisfies Asked) as Promise<void>;
    await (starting = started.catch(() => undefined)); // jobs tell what is wrong
  }

  return {
    async run<Job, Value>(worker: URL, job: Job, overLimit: OverLimit, signal?: AbortSignal) {
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
        const asked = { number, job, worker: worker.href } satisfies Posted<Job> & Asked;
        const answer = (await pool.run(asked, { signal: end.signal })) as Answer<Value>;
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
      await starting; // a pool that is closed while its thread starts never ends
      await pool.close();
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
