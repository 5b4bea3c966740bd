import { Piscina } from 'piscina';
import { DomainError } from '../errors.ts';
import type { Answer, Begun, Posted } from './answer.ts';
import { type JobLimits, memoryLimit, watch } from './watch.ts';

/**
 * How far above a job's limit V8's own one is. V8 ends the whole process where one allocation goes over its limit by
 * more than 16 MB, as that of a growing map does. Well before that, the watch has ended the thread.
 */
const ROOM = 3;
const IDLE_MS = 60_000;

/** A failure's message, given the limit that the job went over: `2 s of CPU time`. */
export type OverLimit = (limit: string) => string;

export interface Thread {
  /**
   * Runs a job. Nothing else runs there meanwhile.
   * @param worker the job's module. Its default export is one of `answering`
   * @throws DomainError LIMIT_EXCEEDED where the job went over a limit, UNAVAILABLE (retryable) where the thread was
   *   ended by something else; the signal's reason. In each case the thread has ended, and the next job has another.
   */
  run<Job, Value>(worker: URL, job: Job, overLimit: OverLimit, signal?: AbortSignal): Promise<Answer<Value>>;
  close(): Promise<void>;
}

/** One worker thread, which starts with a job and ends after a minute without. */
export function createThread(limits: JobLimits): Thread {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: limits.memory * ROOM },
  });
  pool.on('error', () => undefined); // of a thread that ended while it was idle: the next job starts another one
  let jobs = 0;

  return {
    async run<Job, Value>(worker: URL, job: Job, overLimit: OverLimit, signal?: AbortSignal) {
      const end = new AbortController();
      const over = (limit: string) => end.abort(new DomainError('LIMIT_EXCEEDED', overLimit(limit)));
      const number = ++jobs;
      let unwatch: () => void = () => undefined;
      const onBegin = (begun: Begun) => {
        if (begun.number === number) unwatch = watch(pool.threads[0]!, { began: begun, limits }, over);
      };
      pool.on('message', onBegin);
      const ended = AbortSignal.any([end.signal, ...(signal ? [signal] : [])]);
      try {
        const posted: Posted<Job> = { number, job };
        return (await pool.run(posted, { filename: worker.href, signal: ended })) as Answer<Value>;
      } catch (error) {
        ended.throwIfAborted();
        if (isOutOfMemory(error)) throw new DomainError('LIMIT_EXCEEDED', overLimit(memoryLimit(limits)));
        throw new DomainError('UNAVAILABLE', 'A thread ended in the middle of its work', {
          retryable: true,
          cause: error,
        });
      } finally {
        unwatch();
        pool.off('message', onBegin);
      }
    },
    close: () => pool.close(),
  };
}

const isOutOfMemory = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
