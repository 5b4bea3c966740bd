import { DomainError } from '../../errors.ts';

interface SplitResult<T, R> {
  done: R[];
  failed: { row: { number: number } & T; error: DomainError }[];
}

/**
 * Does work for many rows of a batch at once. If the work fails for good, does it for each half of
 * the rows, and so on, so that only those rows fail that caused it. That takes about 2 log n calls
 * for each of them.
 * @returns the results of the work that succeeded, and the rows that failed with their errors
 * @throws the work's error if it is retryable, or not a DomainError
 */
export async function splitOnFailure<T extends { number: number }, R>(
  rows: T[],
  work: (chunk: T[]) => Promise<R>,
): Promise<SplitResult<T, R>> {
  if (rows.length === 0) return { done: [], failed: [] };
  try {
    return { done: [await work(rows)], failed: [] };
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable) throw error;
    if (rows.length === 1) return { done: [], failed: [{ row: rows[0]!, error }] };
    const middle = Math.ceil(rows.length / 2);
    const firstHalf = await splitOnFailure(rows.slice(0, middle), work);
    const secondHalf = await splitOnFailure(rows.slice(middle), work);
    return {
      done: [...firstHalf.done, ...secondHalf.done],
      failed: [...firstHalf.failed, ...secondHalf.failed],
    };
  }
}
