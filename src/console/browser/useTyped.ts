import { useEffect } from 'preact/hooks';

/**
 * Runs `work` once nothing has been typed for `milliseconds`.
 * @param typed the typed text, or a value derived from it. `work` runs once for each new value, and
 *   not for undefined
 * @param work what to do. Its signal is aborted when something else is typed
 */
export function useTyped(
  typed: unknown,
  milliseconds: number,
  work: (signal: AbortSignal) => void,
): void {
  useEffect(() => {
    if (typed === undefined) return undefined;
    const abortController = new AbortController();
    const workTimer = setTimeout(() => work(abortController.signal), milliseconds);
    return () => {
      abortController.abort();
      clearTimeout(workTimer);
    };
  }, [typed]);
}
