import { setTimeout as delay } from 'node:timers/promises';

/** Limits of working on items. Times are in milliseconds. */
export interface WorkLimits {
  /** How many items are worked on at the same time. */
  atOnce: number;
  /**
   * An item that takes longer counts as waiting for others. Then the next item starts beside it.
   */
  waitBeforeNext: number;
  /** The work on an item is aborted after this time. */
  limit: number;
  /** No item starts after this time, except the first one. */
  total: number;
}

/**
 * Works on each item, in order. An item that hangs does not block the others.
 * @param limits how many items at once, and for how long; its `signal` aborts all work
 * @param work works on one item; its signal aborts at the item's limit, or with `limits.signal`
 * @param onFailure called with each error of `work`, and with the reason of each abort
 * @returns how many items were started: at least one, if there are any. The work on them has ended,
 * except work that ignores its signal.
 */
export async function workOnEach<T>(
  items: T[],
  { atOnce, waitBeforeNext, limit, total, signal }: WorkLimits & { signal: AbortSignal },
  work: (item: T, itemSignal: AbortSignal) => Promise<void>,
  onFailure: (item: T, error: unknown) => void,
): Promise<number> {
  const startDeadline = performance.now() + total;
  const startedWork: Promise<void>[] = [];
  function* takeDueItems() {
    for (const item of items) {
      if (signal.aborted || (startedWork.length > 0 && performance.now() > startDeadline)) return;
      yield item;
    }
  }
  const startItem = (item: T) => {
    const itemSignal = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
    return Promise.race([work(item, itemSignal), rejectWhenAborted(itemSignal)]).catch(
      (error: unknown) => onFailure(item, error),
    );
  };
  const dueItems = takeDueItems();
  const workThrough = async () => {
    for (const item of dueItems) {
      const itemWork = startItem(item);
      startedWork.push(itemWork);
      await Promise.race([itemWork, delay(waitBeforeNext, undefined, { ref: false })]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workThrough));
  await Promise.all(startedWork);
  return startedWork.length;
}

/** Rejects when the signal aborts, so that nobody waits for work that ignores the signal. */
const rejectWhenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
