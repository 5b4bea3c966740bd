import { Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import { DomainError, type ErrorCode } from './errors.ts';
import { waitFor } from './waiting.ts';

/** A worker thread's answer. Class instances lose their prototype between threads, so our errors travel as data. */
export type Answer<Value> = { value: Value } | { error: { code: ErrorCode; message: string; retryable: boolean } };

/** Milliseconds for one job, without the wait for a thread: no honest page needs a tenth of it. */
const TIME_LIMIT = 20_000;

interface ThreadsOptions {
  /** The worker's module. Its default export takes a job and answers with `answerOf`. */
  worker: URL;
  /** How many jobs run at the same time, each in its own thread. */
  threads: number;
  /** Milliseconds after which a job is given up. */
  timeLimit?: number | undefined;
}

/** Some worker threads, which start with the first job. */
export function createThreads<Job, Value>({ worker, threads, timeLimit = TIME_LIMIT }: ThreadsOptions) {
  const free = new Semaphore(threads);
  const pool = new Piscina<Job, Answer<Value>>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
  });

  async function runJob(job: Job, tooSlow: TooSlow, cancel?: AbortSignal): Promise<Answer<Value>> {
    cancel?.throwIfAborted();
    const limit = AbortSignal.timeout(timeLimit);
    try {
      return await pool.run(job, { signal: cancel ? AbortSignal.any([limit, cancel]) : limit });
    } catch (error) {
      cancel?.throwIfAborted();
      if (!limit.aborted) throw error;
      throw new DomainError('LIMIT_EXCEEDED', tooSlow(timeLimit / 1000));
    }
  }

  /**
   * Runs a job when a thread is free.
   * @param tooSlow the message of the LIMIT_EXCEEDED for a job that takes too long
   * @param cancel gives the job up; the call then fails with the signal's reason
   * @throws DomainError as the worker threw it
   */
  const run = async (job: Job, tooSlow: TooSlow, cancel?: AbortSignal): Promise<Value> => {
    const [, release] = await waitFor('a thread', free.acquire());
    const answer = await runJob(job, tooSlow, cancel).finally(release);
    if ('value' in answer) return answer.value;
    const { code, message, retryable } = answer.error;
    throw new DomainError(code, message, { retryable });
  };
  return { run, close: () => pool.close() };
}

type TooSlow = (seconds: number) => string;

/** For a worker: the outcome of some work, our errors as data. */
export function answerOf<Value>(work: () => Value): Answer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, retryable } = error;
    return { error: { code, message, retryable } };
  }
}
