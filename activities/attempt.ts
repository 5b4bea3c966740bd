import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Waits } from '../src/waiting.ts';

/**
 * An attempt whose worker was lost, after which the workflow schedules the step anew for other
 * workers.
 */
export interface Lost {
  /** Those of its last heartbeat. */
  details?: unknown;
}

/** One attempt of an activity, and the notes that it hands to later attempts. */
export interface Attempt {
  readonly isFirst: boolean;
  /** The last notes of earlier attempts. */
  readonly earlier: unknown;
  /** Keeps notes: each heartbeat from now on carries them, and the failure of this attempt. */
  keep(notes: object): void;
  /**
   * Sends a heartbeat now. The SDK holds it back for up to 15 s where another one went out just
   * before.
   * @param waitsFor what the activity waits for: shown to operators, no note for later attempts
   */
  beat(waitsFor?: string): void;
  /** Hands on to later attempts how long this one has worked: theirs goes on from there. */
  countWork(): void;
  /** Hands on what it was handed, as if it had not worked. */
  forgetWork(): void;
  /**
   * Milliseconds that it has worked so far, with earlier attempts that counted theirs. Waiting for
   * a turn does not count.
   */
  workedMs(): number;
  /** The current notes; at first those of earlier attempts. */
  notes(): unknown;
}

/**
 * The attempt that runs. Every heartbeat repeats the notes: one without them would erase those of
 * earlier attempts.
 * @param waits how long it has waited so far
 * @param lost the attempt before, if Temporal takes this one for the first
 */
export function currentAttempt(waits: Pick<Waits, 'total'>, lost?: Lost): Attempt {
  const began = performance.now();
  const info = activityInfo();
  const earlier = notesIn((info.heartbeatDetails ?? lost?.details) as object | undefined);
  const { workedMs: before = 0 } = (earlier ?? {}) as { workedMs?: number };
  const workedMs = () => before + Math.round(performance.now() - began - waits.total());
  let kept = earlier;
  let isCounted = false;
  const notes = () => (isCounted ? { ...kept, workedMs: workedMs() } : kept);
  return {
    isFirst: info.attempt === 1 && lost === undefined,
    earlier,
    keep: (next) => void (kept = next),
    beat: (waitsFor) => heartbeat(waitsFor === undefined ? notes() : { ...notes(), waitsFor }),
    countWork: () => void (isCounted = true),
    forgetWork: () => void (isCounted = false),
    workedMs,
    notes,
  };
}

const notesIn = ({ waitsFor: _, ...notes }: { waitsFor?: string } = {}): object | undefined =>
  Object.keys(notes).length > 0 ? notes : undefined;
