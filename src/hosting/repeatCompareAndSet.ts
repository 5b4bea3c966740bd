import { DomainError } from '../errors.ts';

const ATTEMPTS = 20;

/**
 * Repeats a compare-and-set until it succeeds.
 * @param failure the error's message if others were faster each time
 * @param attempt false if another process was faster
 * @throws DomainError DEPLOYMENT_FAILED, retryable
 */
export async function repeatCompareAndSet<T>(
  failure: string,
  attempt: () => Promise<T | false>,
): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const done = await attempt();
    if (done !== false) return done;
  }
  throw new DomainError('DEPLOYMENT_FAILED', failure, { retryable: true });
}
