import { useEffect } from 'preact/hooks';

/**
 * Does something once nobody has typed for `ms` milliseconds.
 * @param typed the typed text, or what was made of it; undefined: nothing to do
 * @param work its signal is aborted when something else is typed
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
