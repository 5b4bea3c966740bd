import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../src/errors.ts';

const READ_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 1_000;

interface ReadRetryOptions {
  /** Ends the waiting. `readWithRetry` then throws the signal's reason. */
  signal: AbortSignal;
  /** Called once, when the first read fails. */
  onWait: (error: unknown) => void;
}

/**
 * Reads from the database. Repeats the read every second while the database does not respond.
 * @throws the read's DomainError if it is not retryable; the reason of `signal` if it aborts
 */
export async function readWithRetry<T>(
  read: () => Promise<T>,
  { signal, onWait }: ReadRetryOptions,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await rejectIfLate(read(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && !error.retryable) throw error;
      if (isFirst) onWait(error);
    }
    await delay(RETRY_AFTER_MS, undefined, { signal });
  }
}

/** Rejects if the database does not answer in time. */
async function rejectIfLate<T>(pendingRead: Promise<T>, signal: AbortSignal): Promise<T> {
  const finished = new AbortController();
  const lateError = delay(READ_WITHIN_MS, undefined, {
    signal: AbortSignal.any([signal, finished.signal]),
  }).then(() => {
    throw new Error(`The database did not answer within ${READ_WITHIN_MS} ms`);
  });
  try {
    return await Promise.race([pendingRead, lateError]);
  } finally {
    finished.abort();
  }
}
