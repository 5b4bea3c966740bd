import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns a function that runs one query at a time. Callers during a query share the next one. For
 * example, while a query runs, calls with `['a']` and `['b']` become one query for `['a', 'b']`,
 * whose answer both get.
 * @param minPauseMs minimum milliseconds between the starts of two queries
 */
export function coalesceQueries<T>(runQuery: (ids: string[]) => Promise<T>, minPauseMs: number) {
  let previousQuery: Promise<unknown> = Promise.resolve();
  let nextQuery: { ids: string[]; answer: Promise<T> } | undefined;
  const startQuery = (ids: string[]) => {
    nextQuery = undefined;
    const answer = runQuery(ids);
    previousQuery = Promise.allSettled([answer, delay(minPauseMs, undefined, { ref: false })]);
    return answer;
  };
  const gatherIds = () => {
    const ids: string[] = [];
    return { ids, answer: previousQuery.then(() => startQuery(ids)) };
  };
  return (ids: string[]): Promise<T> => {
    nextQuery ??= gatherIds();
    nextQuery.ids.push(...ids);
    return nextQuery.answer;
  };
}
