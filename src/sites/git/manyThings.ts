import { setImmediate as othersTurn } from 'node:timers/promises';

/** Things after which others get their turn: this many entries of a tree take about 2 ms. */
const atOnce = 1_000;

/**
 * Does short work with each of many things, so that nobody waits long for the main thread.
 * @param signal ends it with its reason
 */
export async function forMany<T>(things: Iterable<T>, work: (thing: T) => void, signal?: AbortSignal): Promise<void> {
  let count = 0;
  for (const thing of things) {
    work(thing);
    if (++count % atOnce > 0) continue;
    await othersTurn();
    signal?.throwIfAborted();
  }
}

/** The texts of an output that each end with NUL. */
export function* endedByNul(output: Buffer): Generator<string, undefined> {
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    if (end < 0) return;
    yield output.toString('utf8', at, end);
    at = end + 1;
  }
}
