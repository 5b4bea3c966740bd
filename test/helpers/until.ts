import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is something, and gives it.
 * @param what named in the error at the deadline
 * @param probe undefined, null or false: not yet. What it throws ends the waiting
 * @param ms the deadline, milliseconds from now
 * @param every milliseconds between two questions
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  ms = 240_000,
  every = 50,
): Promise<Exclude<T, undefined | null | false>> {
  for (const deadline = Date.now() + ms; ; await delay(every)) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as Exclude<T, undefined | null | false>;
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain for ${what}`);
  }
}
