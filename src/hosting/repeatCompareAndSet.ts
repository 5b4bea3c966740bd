import { DomainError } from '../errors.ts';

const ATTEMPTS = 20;

/**
 * Repeats a compare-and-set until it succeeds, a limited number of times.
 * @param failure the error's message if each attempt fails
 * @param attempt returns false if another process was faster
 * @throws DomainError DEPLOYMENT_FAILED, retryable
 */
export async function repeatCompareAndSet<T>(
  failure: string,
  attempt: () => Promise<T | false>,
): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const outcome = await attempt();
    if (outcome !== false) return outcome;
  }
  throw new DomainError('DEPLOYMENT_FAILED', failure, { retryable: true });
}
