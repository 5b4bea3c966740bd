import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Items between two pauses: this many entries of a tree take about 2 ms. */
const atOnce = 1_000;

/**
 * Does short work with each of many items, pausing so that other work gets the main thread.
 * @param signal ends the work with its reason
 */
export async function forMany<T>(
  things: Iterable<T>,
  work: (thing: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  let count = 0;
  for (const thing of things) {
    work(thing);
    if (++count % atOnce > 0) continue;
    await yieldToOthers();
    signal?.throwIfAborted();
  }
}
