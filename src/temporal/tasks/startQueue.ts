import { createFairQueue } from '../../fairQueue.ts';
import type { TemporalCalls } from './temporalCalls.ts';

/** Starts that are sent at the same time. Temporal would not answer more of them any sooner. */
const AT_ONCE = 16;
/**
 * Milliseconds that a start waits without any answer from Temporal. If Temporal is down, the caller
 * must get an answer within 5 s.
 */
const SILENCE_MS = 4_000;

export interface StartQueue {
  /** Joins the queue. The deadline starts now. */
  enter(organizationId: string): {
    /**
     * Makes the calls of one start, as soon as fewer than 16 starts are being sent.
     * @throws Error if Temporal was silent for too long
     */
    run<T>(call: () => Promise<T>): Promise<T>;
  };
}

/**
 * Creates the queue of task starts, which is fair among organizations. A start fails if Temporal
 * answers no start at all for four seconds, but not if Temporal is only slow to answer all of them.
 */
export function createStartQueue(
  calls: Pick<TemporalCalls, 'within'>,
  currentTime = () => performance.now(),
): StartQueue {
  const queue = createFairQueue({ what: 'Temporal', places: AT_ONCE });
  let answeredAt = -Infinity;

  return {
    enter(organizationId) {
      const enteredAt = currentTime();
      const leftMs = () => Math.max(enteredAt, answeredAt) + SILENCE_MS - currentTime();
      return {
        async run(call) {
          const silenceController = new AbortController();
          const stopWatch = abortWhenTimeIsOver(leftMs, silenceController);
          const sendCall = async () => {
            const answer = await calls.within(Math.max(0, leftMs()), call);
            answeredAt = currentTime();
            return answer;
          };
          return queue.run(organizationId, sendCall, silenceController.signal).finally(stopWatch);
        },
      };
    },
  };
}

/**
 * Aborts as soon as no time is left. `leftMs` may grow meanwhile. @returns a function that stops
 * the watch
 */
function abortWhenTimeIsOver(leftMs: () => number, controller: AbortController): () => void {
  let timer: NodeJS.Timeout;
  const checkTime = () => {
    const remainingMs = leftMs();
    if (remainingMs <= 0) controller.abort(new Error('Temporal did not answer in time'));
    else timer = setTimeout(checkTime, remainingMs);
  };
  checkTime();
  return () => clearTimeout(timer);
}
