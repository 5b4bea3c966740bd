import { activityInfo, heartbeat } from '@temporalio/activity';

/** One attempt of an activity, and the notes that it hands to later attempts. */
export interface Attempt {
  /** The last notes of earlier attempts. */
  readonly earlier: unknown;
  /** Keeps notes: each heartbeat from now on carries them, and the failure of this attempt. */
  keep(notes: object): void;
  /** Sends a heartbeat now. The SDK holds it back for up to 2 s where another one went out just before. */
  beat(): void;
  /** The current notes; at first those of earlier attempts. */
  notes(): unknown;
}

/** The attempt that runs. Every heartbeat repeats the notes: one without them would erase those of earlier attempts. */
export function currentAttempt(): Attempt {
  const earlier: unknown = activityInfo().heartbeatDetails;
  let notes = earlier;
  return {
    earlier,
    keep: (next) => void (notes = next),
    beat: () => heartbeat(notes),
    notes: () => notes,
  };
}
