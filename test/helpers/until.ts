import { setTimeout as delay } from 'node:timers/promises';

/** Of the time waited so far: what takes long is asked for less often, at most so late. */
const [SHARE, LONGEST_PAUSE_MS] = [0.1, 500];

/**
 * Asks until the answer is something, and gives it.
 * @param what named in the error at the deadline
 * @param probe undefined, null or false: not yet. What it throws ends the waiting
 * @param ms the deadline, milliseconds from now
 * @param every milliseconds between two questions. Default: 50 at first, then longer
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  ms = 240_000,
  every?: number,
): Promise<Exclude<T, undefined | null | false>> {
  const began = Date.now();
  const pause = () => Math.min(LONGEST_PAUSE_MS, Math.max(50, SHARE * (Date.now() - began)));
  for (const deadline = began + ms; ; await delay(every ?? pause())) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as Exclude<T, undefined | null | false>;
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain for ${what}`);
  }
}
