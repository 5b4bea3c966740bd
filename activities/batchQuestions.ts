import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs one query at a time. Callers during a query share the next one, which gets all their ids.
 * @param pause minimum milliseconds between the starts of two queries
 */
export function batchQuestions<T>(ask: (ids: string[]) => Promise<T>, pause: number) {
  let previous: Promise<unknown> = Promise.resolve();
  let next: { ids: string[]; answer: Promise<T> } | undefined;
  const begin = (ids: string[]) => {
    next = undefined;
    const answer = ask(ids);
    previous = Promise.allSettled([answer, delay(pause, undefined, { ref: false })]);
    return answer;
  };
  const gather = () => {
    const ids: string[] = [];
    return { ids, answer: previous.then(() => begin(ids)) };
  };
  return (ids: string[]): Promise<T> => {
    next ??= gather();
    next.ids.push(...ids);
    return next.answer;
  };
}
