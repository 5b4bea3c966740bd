import { DomainError } from '../errors.ts';

const ATTEMPTS = 20;

/**
 * Repeats a compare-and-set until it succeeds, a limited number of times.
 * @param failure the error's message if each attempt fails
 * @param compareAndSet returns false if another process was faster
 * @throws DomainError DEPLOYMENT_FAILED, retryable
 */
export async function repeatCompareAndSet<T>(
  failure: string,
  compareAndSet: () => Promise<T | false>,
): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const outcome = await compareAndSet();
    if (outcome !== false) return outcome;
  }
  throw new DomainError('DEPLOYMENT_FAILED', failure, { retryable: true });
}
