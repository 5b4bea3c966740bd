import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Things between two pauses for other work: this many entries of a tree take about 2 ms. */
const atOnce = 1_000;

/**
 * Does short work with each of many things, so that nobody waits long for the main thread.
 * @param signal ends it with its reason
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
