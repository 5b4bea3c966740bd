import { activityInfo, heartbeat } from '@temporalio/activity';
import type { WaitCounter } from '../src/waitCounters.ts';

/** An attempt whose worker was lost. The workflow then schedules the activity for other workers. */
export interface LostAttempt {
  /** The last heartbeat details of the lost attempt. */
  details?: unknown;
}

/** One attempt of an activity, and the heartbeat details that it passes on to later attempts. */
export interface ActivityAttempt {
  readonly isFirst: boolean;
  /** The last heartbeat details of earlier attempts. */
  readonly earlier: unknown;
  /** Sets the details for all later heartbeats, and for the error if this attempt fails. */
  setDetails(details: object): void;
  /**
   * Sends a heartbeat now. The SDK may delay it for up to 15 s after the last one.
   * @param waitsFor what the activity waits for. Operators see it; later attempts do not.
   */
  beat(waitsFor?: string): void;
  /** Adds this attempt's working time to the details, so that later attempts continue the count. */
  countWork(): void;
  /** Passes on only the working time of earlier attempts, as if this attempt had not worked. */
  forgetWork(): void;
  /**
   * Milliseconds of work so far, including earlier attempts that called `countWork`. Excludes
   * waiting.
   */
  workedMs(): number;
  /** The current details. At first, those of earlier attempts. */
  details(): object | undefined;
}

/**
 * Opens the running attempt. Every heartbeat repeats the details, since a heartbeat without them
 * would erase those of earlier attempts.
 * @param waits how long this attempt has waited so far
 * @param lostAttempt the previous attempt, if Temporal counts this one as the first
 */
export function currentAttempt(
  waits: Pick<WaitCounter, 'total'>,
  lostAttempt?: LostAttempt,
): ActivityAttempt {
  const startedAt = performance.now();
  const info = activityInfo();
  const earlier = withoutWait(
    (info.heartbeatDetails ?? lostAttempt?.details) as object | undefined,
  );
  const { workedMs: earlierWorkMs = 0 } = (earlier ?? {}) as { workedMs?: number };
  const workedMs = () => earlierWorkMs + Math.round(performance.now() - startedAt - waits.total());
  let currentDetails = earlier;
  let isCounted = false;
  const details = () => (isCounted ? { ...currentDetails, workedMs: workedMs() } : currentDetails);
  return {
    isFirst: info.attempt === 1 && lostAttempt === undefined,
    earlier,
    setDetails: (newDetails) => void (currentDetails = newDetails),
    beat: (waitsFor) => heartbeat(waitsFor === undefined ? details() : { ...details(), waitsFor }),
    countWork: () => void (isCounted = true),
    forgetWork: () => void (isCounted = false),
    workedMs,
    details,
  };
}

/** The heartbeat details without `waitsFor`, which was true of an earlier attempt only. */
const withoutWait = ({ waitsFor: _, ...details }: { waitsFor?: string } = {}) =>
  Object.keys(details).length > 0 ? details : undefined;
