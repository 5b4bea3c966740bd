import { createFairQueue } from '../../../fairQueue.ts';
import { anySignal } from '../../../waitCounters.ts';

/** Runs the calls of language models that this process makes. */
export interface FairModelCalls {
  /**
   * Runs a step that makes a call, once a place is free. `waitFor` reports the wait.
   * @param organizationId the organization that the step is for
   * @param signal ends the wait with its reason
   */
  run<T>(organizationId: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface FairModelCallOptions {
  /** The most steps that run at the same time. */
  atOnce: number;
  /** Ends the wait of all steps with its reason, so that another process can make their calls. */
  stopping?: AbortSignal;
}

/**
 * Runs calls fairly among organizations. The next free place goes to the organization that holds
 * the fewest, and the last free place is reserved for an organization that holds none. So calls
 * that hang for minutes don't block other organizations.
 */
export function createFairModelCalls({ atOnce, stopping }: FairModelCallOptions): FairModelCalls {
  const callQueue = createFairQueue({
    what: 'a turn to call a language model',
    places: atOnce,
    leavesLast: () => true,
  });
  return {
    run: (organizationId, call, signal) =>
      callQueue.run(organizationId, call, anySignal(signal, stopping)),
  };
}
