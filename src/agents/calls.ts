import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../fairQueue.ts';
import { anySignal, waitFor } from '../waiting.ts';

const CALL = "the minute's next call of a language model";

/** Runs the calls of language models that this process makes. */
export interface Calls {
  /**
   * Runs a step that makes a call, once a place is free. `waitFor` reports the wait.
   * @param organizationId the organization that the step is for
   * @param signal ends the wait with its reason
   */
  run<T>(organizationId: string, step: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Options {
  /** The most steps that run at the same time. */
  atOnce: number;
  /** Ends the wait of all steps with its reason, so that another process can make their calls. */
  stopping?: AbortSignal;
  /**
   * Counts a call, for all processes together.
   * @returns 0 if the call may begin, otherwise milliseconds until the next try
   */
  next: () => Promise<number>;
}

/**
 * Runs calls fairly among organizations. The next free place goes to the organization that holds
 * the fewest, and the last free place is reserved for an organization that holds none. So calls
 * that hang for minutes don't block other organizations. The limit per minute is shared fairly too.
 * A call counts when it gets a place.
 */
export function createCalls({ atOnce, next, stopping }: Options): Calls {
  const places = createFairQueue({
    what: 'a turn to call a language model',
    places: atOnce,
    leavesLast: () => true,
  });
  const begins = createFairQueue({ what: CALL, places: 1 });

  async function begin(signal: AbortSignal): Promise<void> {
    for (let ms = await next(); ms > 0; ms = await next())
      await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  return {
    run: (organizationId, step, ownSignal) => {
      const signal = anySignal(ownSignal, stopping);
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

/** Spreads a limit per minute over short windows, so that a burst can't use up the whole minute. */
export function windowOf(perMinute: number): { points: number; seconds: number } {
  const points = Math.ceil(perMinute / 60);
  return { points, seconds: Math.ceil((points * 60_000) / perMinute) / 1_000 };
}
