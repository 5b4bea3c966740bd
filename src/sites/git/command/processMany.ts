import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Items between two pauses: this many entries of a tree take about 2 ms. */
const itemsAtOnce = 1_000;

/**
 * Does short work with each of many items. Pauses after every thousand items, so that other work
 * gets the main thread.
 * @param signal ends the work with its reason
 */
export async function processMany<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    work(item);
    if (++count % itemsAtOnce > 0) continue;
    await yieldToOthers();
    signal?.throwIfAborted();
  }
}
