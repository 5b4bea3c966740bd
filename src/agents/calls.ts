import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../fairQueue.ts';
import { waitFor } from '../waiting.ts';

const CALL = "the minute's next call of a language model";

/** The calls of language models that this process makes. */
export interface Calls {
  /**
   * Runs a step that makes a call, when it is its turn. Until then it waits, which `waitFor` tells.
   * @param organizationId whose step it is
   * @param signal ends the waiting with its reason
   */
  run<T>(organizationId: string, step: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Options {
  /** Steps that run at the same time. */
  atOnce: number;
  /** Ends the waiting of all steps with its reason, so that another process makes their calls. */
  stopping?: AbortSignal;
  /**
   * Counts a call of all processes. @returns 0 if it may begin; otherwise the milliseconds after
   * which to ask again
   */
  next: () => Promise<number>;
}

/**
 * Shares the calls fairly between organizations. One has at most half of the places while another
 * waits, and the last free place is only for one that has none. So calls that hang for minutes do
 * not make the next organization wait. A call counts for the minute when its step begins, not while
 * it waits for a place; that wait is fair as well.
 */
export function createCalls({ atOnce, next, stopping }: Options): Calls {
  const beside = Math.max(1, Math.floor(atOnce / 2));
  const places = createFairQueue({
    what: 'a turn to call a language model',
    places: atOnce,
    beside,
    spare: 1,
  });
  const begins = createFairQueue({ what: CALL, places: 1 });

  async function begin(signal: AbortSignal): Promise<void> {
    for (let ms = await next(); ms > 0; ms = await next())
      await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  return {
    run: (organizationId, step, ownSignal) => {
      const signal = stopping ? AbortSignal.any([ownSignal, stopping]) : ownSignal;
      const counted = async () => {
        await waitFor(
          CALL,
          begins.run(organizationId, () => begin(signal), signal),
        );
        return step();
      };
      return places.run(organizationId, counted, signal);
    },
  };
}

/**
 * A limit of calls in a minute as one of short windows: a flood uses up a window, not the whole
 * minute.
 */
export function windowOf(perMinute: number): { points: number; seconds: number } {
  const points = Math.ceil(perMinute / 60);
  return { points, seconds: Math.ceil((points * 60_000) / perMinute) / 1_000 };
}
