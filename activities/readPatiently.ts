import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../src/errors.ts';

const READ_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;

interface Options {
  /** Ends the waiting and throws its reason. */
  signal: AbortSignal;
  /** Called once, when the first read fails. */
  onWait: (error: unknown) => void;
}

/**
 * Reads from the database, and repeats the read every second while the database does not answer.
 * @throws DomainError of the read that is not retryable; `signal`'s reason
 */
export async function readPatiently<T>(
  read: () => Promise<T>,
  { signal, onWait }: Options,
): Promise<T> {
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

/** Rejects if the database hangs. */
async function answered<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const late = delay(READ_WITHIN_MS, undefined, {
    signal: AbortSignal.any([signal, done.signal]),
  }).then(() => {
    throw new Error(`The database did not answer within ${READ_WITHIN_MS} ms`);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    done.abort();
  }
}
