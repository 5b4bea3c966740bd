/** The longest delay of a timer. A timer with a longer delay would fire at once. */
export const LONGEST_MS = 2 ** 31 - 1;

interface Limits {
  /** Ends the work early. */
  signal?: AbortSignal | undefined;
  /** Creates the error for work that takes longer. */
  late: () => Error;
}

/**
 * Runs work with a time limit, even if the work ignores its signal.
 * @param ms the time limit in milliseconds
 * @param work gets a signal that aborts at the limit, or when the given signal aborts
 * @throws the error of `late`, the signal's reason, or the work's own error
 */
export async function within<T>(
  ms: number,
  { signal, late }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', end);
  const timer = setTimeout(() => ending.abort(late()), Math.min(ms, LONGEST_MS));
  try {
    return await new Promise<T>((resolve, reject) => {
      ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
      work(ending.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
