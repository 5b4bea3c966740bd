import { createFairQueue } from '../../../fairQueue.ts';
import { anySignal } from '../../../waitCounters.ts';

/** Runs the language model calls of this process. Only a limited number runs at the same time. */
export interface FairModelCalls {
  /**
   * Runs work that makes a call, as soon as fewer calls than `atOnce` run. `waitFor` measures the
   * wait.
   * @param organizationId the organization that the call is for
   * @param signal ends the wait with its reason
   */
  run<T>(organizationId: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface FairModelCallOptions {
  /** The most calls that run at the same time. */
  atOnce: number;
  /** Ends the wait of all calls with its reason, so that another process can make them. */
  stopping?: AbortSignal;
}

/** What callers wait for. */
export const MODEL_CALL_TURN = 'a turn to call a language model';

/**
 * Shares the calls fairly among organizations. A place in this queue is the right to make one call.
 * The next free place goes to the organization that holds the fewest, and the last free place is
 * reserved for an organization that holds none. So calls that hang for minutes don't block other
 * organizations.
 */
export function createFairModelCalls({ atOnce, stopping }: FairModelCallOptions): FairModelCalls {
  const callQueue = createFairQueue({
    what: MODEL_CALL_TURN,
    places: atOnce,
    leavesLast: () => true,
  });
  return {
    run: (organizationId, call, signal) =>
      callQueue.run(organizationId, call, anySignal(signal, stopping)),
  };
}
