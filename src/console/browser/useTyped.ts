import { useEffect } from 'preact/hooks';

/**
 * Does something once nobody has typed for `ms` milliseconds.
 * @param typed the typed text, or what was made of it; undefined: nothing to do
 * @param work its signal is aborted when something else is typed
 */
export function useTyped(typed: unknown, ms: number, work: (signal: AbortSignal) => void): void {
  useEffect(() => {
    if (typed === undefined) return undefined;
    const gone = new AbortController();
    const timer = setTimeout(() => work(gone.signal), ms);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [typed]);
}
