import { setTimeout as delay } from 'node:timers/promises';

/** Times are milliseconds. */
export interface Pace {
  /** How much of the work is done at the same time. */
  atOnce: number;
  /** Work that takes longer waits for somebody else: the next work begins beside it. */
  patience: number;
  /** Work that takes longer is ended. */
  limit: number;
  /** After that, only work begins that has to come first. */
  total: number;
}

/**
 * Does the work of each item, in their order. None waits for one that hangs.
 * @param pace.signal ends all work
 * @param work gets a signal that ends it. What it throws, or that it did not end in time,
 *   `onFailure` is told
 * @returns how many of the items it came to: at least one, if there are any. The work of all these
 *   has ended, or was given up: what ignores its signal may go on
 */
export async function eachInTime<T>(
  items: T[],
  { atOnce, patience, limit, total, signal }: Pace & { signal: AbortSignal },
  work: (item: T, ends: AbortSignal) => Promise<void>,
  onFailure: (item: T, error: unknown) => void,
): Promise<number> {
  const until = performance.now() + total;
  const all: Promise<void>[] = [];
  function* due() {
    for (const item of items) {
      if (signal.aborted || (all.length > 0 && performance.now() > until)) return;
      yield item;
    }
  }
  const begin = (item: T) => {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
    return Promise.race([work(item, ends), whenAborted(ends)]).catch((error: unknown) =>
      onFailure(item, error),
    );
  };
  const queue = due();
  const line = async () => {
    for (const item of queue) {
      const begun = begin(item);
      all.push(begun);
      await Promise.race([begun, delay(patience, undefined, { ref: false })]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  await Promise.all(all);
  return all.length;
}

/** Rejects with the signal's reason. Work that does not listen to the signal is not waited for. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/**
 * Asks one question for all who ask while the one before is under way.
 * @param pause milliseconds between the beginnings of two questions, at least
 */
export function askTogether<T>(ask: (ids: string[]) => Promise<T>, pause: number) {
  let turn: Promise<unknown> = Promise.resolve();
  let waiting: { ids: string[]; answer: Promise<T> } | undefined;
  const begin = (ids: string[]) => {
    waiting = undefined;
    const answer = ask(ids);
    turn = Promise.allSettled([answer, delay(pause, undefined, { ref: false })]);
    return answer;
  };
  const gather = () => {
    const ids: string[] = [];
    return { ids, answer: turn.then(() => begin(ids)) };
  };
  return (ids: string[]): Promise<T> => {
    waiting ??= gather();
    waiting.ids.push(...ids);
    return waiting.answer;
  };
}
