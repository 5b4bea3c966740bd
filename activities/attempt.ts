import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Waits } from '../src/waiting.ts';

/** An attempt whose worker was lost: the workflow then schedules the step again for others. */
export interface LostAttempt {
  /** Its last heartbeat details. */
  details?: unknown;
}

/** One attempt of an activity, and the heartbeat details that it hands to later attempts. */
export interface Attempt {
  readonly isFirst: boolean;
  /** The last heartbeat details of earlier attempts. */
  readonly earlier: unknown;
  /** Sets the details that each later heartbeat carries, and the failure of this attempt. */
  setDetails(details: object): void;
  /**
   * Sends a heartbeat now. The SDK holds it back for up to 15 s after another heartbeat.
   * @param waitsFor what the activity waits for: operators see it, later attempts do not
   */
  beat(waitsFor?: string): void;
  /** Adds this attempt's working time to the details, so that later attempts count on from it. */
  countWork(): void;
  /** Hands on the working time of earlier attempts only, as if this one had not worked. */
  forgetWork(): void;
  /**
   * Milliseconds of work so far, with those of earlier attempts that called `countWork`. Waiting
   * does not count.
   */
  workedMs(): number;
  /** The current details; at first those of earlier attempts. */
  details(): object | undefined;
}

/**
 * The attempt that runs. Every heartbeat repeats the details: one without them would erase those
 * of earlier attempts.
 * @param waits how long it has waited so far
 * @param lost the attempt before, if Temporal takes this one for the first
 */
export function currentAttempt(waits: Pick<Waits, 'total'>, lost?: LostAttempt): Attempt {
  const began = performance.now();
  const info = activityInfo();
  const earlier = withoutWait((info.heartbeatDetails ?? lost?.details) as object | undefined);
  const { workedMs: before = 0 } = (earlier ?? {}) as { workedMs?: number };
  const workedMs = () => before + Math.round(performance.now() - began - waits.total());
  let current = earlier;
  let isCounted = false;
  const details = () => (isCounted ? { ...current, workedMs: workedMs() } : current);
  return {
    isFirst: info.attempt === 1 && lost === undefined,
    earlier,
    setDetails: (next) => void (current = next),
    beat: (waitsFor) => heartbeat(waitsFor === undefined ? details() : { ...details(), waitsFor }),
    countWork: () => void (isCounted = true),
    forgetWork: () => void (isCounted = false),
    workedMs,
    details,
  };
}

/** What an earlier attempt waited for does not concern this one. */
const withoutWait = ({ waitsFor: _, ...details }: { waitsFor?: string } = {}) =>
  Object.keys(details).length > 0 ? details : undefined;
