import { Piscina } from 'piscina';
import { DomainError } from '../errors.ts';
import type { ThreadAnswer, StartedJob, PostedJob, ThreadJob } from './threadAnswer.ts';
import type { ThreadRequest } from './threadEntry.ts';
import { type JobLimits, memoryLimitText, watchJob } from './jobLimits.ts';

/**
 * V8's memory limit, as a multiple of the job's limit. V8 ends the whole process if one allocation
 * exceeds its limit by more than 16 MB, which a growing map may do. `watchJob` ends the thread long
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

export interface WorkerThread {
  /**
   * Runs a job. The caller must wait for it before it runs another.
   * @param worker the URL of the job's module, whose default export is made by `serveFunctions`
   * @throws DomainError LIMIT_EXCEEDED if the job exceeded a limit, UNAVAILABLE (retryable) if the
   *   thread ended for another reason. In both cases the thread has ended. Throws the signal's
   *   reason, once the job is over
   */
  run(
    worker: URL,
    job: ThreadJob,
    overLimit: OverLimit,
    signal?: AbortSignal,
  ): Promise<ThreadAnswer>;
  isStarted(): boolean;
  /** Starts the thread unless it runs, and waits until it can run jobs. Never throws. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates one worker thread. It ends after a minute without a job, and starts again for the next
 * one.
 * @param modules URLs of the modules that it loads when it starts
 */
export function createWorkerThread(limits: JobLimits, modules: Set<string>): WorkerThread {
  const modulesToLoad: string[] = [];
  const pool = new Piscina({
    filename: new URL('./threadEntry.ts', import.meta.url).href,
    workerData: modulesToLoad,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.memory * ROOM,
      maxYoungGenerationSizeMb: YOUNG,
    },
  });
  pool.on('error', () => undefined); // an idle thread ended: the next job starts another
  let jobCount = 0;

  const isStarted = () => pool.threads.length > 0;
  let pendingStart: Promise<void> = Promise.resolve();
  let isClosed = false;
  async function startThread(): Promise<void> {
    if (isStarted() || isClosed) return pendingStart;
    modulesToLoad.splice(0, Infinity, ...modules);
    const startedRun = pool.run(null satisfies ThreadRequest) as Promise<void>;
    await (pendingStart = startedRun.catch(() => undefined)); // jobs report a failed start
  }

  return {
    async run(worker, job, overLimit, signal) {
      await startThread();
      signal?.throwIfAborted();
      const jobEnd = new AbortController();
      const endOverLimit = (limit: string) =>
        jobEnd.abort(new DomainError('LIMIT_EXCEEDED', overLimit(limit)));
      const number = ++jobCount;
      let stopWatch: () => void = () => undefined;
      const onBegin = (startedJob: StartedJob) => {
        if (startedJob.number === number)
          stopWatch = watchJob(
            pool.threads[0]!,
            { began: startedJob, limits, signal },
            endOverLimit,
          );
      };
      pool.on('message', onBegin);
      try {
        const threadRequest = { number, job, worker: worker.href } satisfies PostedJob &
          ThreadRequest;
        const answer = (await pool.run(threadRequest, { signal: jobEnd.signal })) as ThreadAnswer;
        signal?.throwIfAborted();
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        jobEnd.signal.throwIfAborted();
        if (isOutOfMemory(error))
          throw new DomainError('LIMIT_EXCEEDED', overLimit(memoryLimitText(limits)));
        throw new DomainError('UNAVAILABLE', 'A worker thread ended before it finished its work', {
          retryable: true,
          cause: error,
        });
      } finally {
        stopWatch();
        pool.off('message', onBegin);
      }
    },
    isStarted,
    start: startThread,
    async close() {
      isClosed = true;
      await pendingStart; // closing a pool while its thread starts would never end
      await pool.close();
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
