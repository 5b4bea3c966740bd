import { useEffect } from 'preact/hooks';

/**
 * Does something a moment after the last change of what is typed.
 * @param typed undefined: nothing to do
 * @param work its signal ends it when something else was typed
 */
export function useTyped(
  typed: string | undefined,
  ms: number,
  work: (signal: AbortSignal) => void,
): void {
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
