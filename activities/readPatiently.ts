import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../src/errors.ts';

const READ_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;

interface Options {
  /** Ends the waiting: its reason is thrown. */
  signal: AbortSignal;
  /** Told once, of the first read that failed. */
  onWait: (error: unknown) => void;
}

/**
 * Reads from the database, and waits while it is down or does not answer: every second it asks again.
 * @throws DomainError of the read where asking again can't help; `signal`'s reason
 */
export async function readPatiently<T>(read: () => Promise<T>, { signal, onWait }: Options): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await answered(read(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && !error.retryable) throw error;
      if (isFirst) onWait(error);
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal });
  }
}

/** A database that hangs is as good as one that is down. */
async function answered<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const late = delay(READ_WITHIN_MS, undefined, { signal: AbortSignal.any([signal, done.signal]) }).then(() => {
    throw new Error(`The database did not answer within ${READ_WITHIN_MS} ms`);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    done.abort();
  }
}
