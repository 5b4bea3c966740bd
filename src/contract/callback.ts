/**
 * The delivery of a callback, as the API, the workflow and the activity know it. Imports nothing,
 * like task.ts.
 */

/**
 * One attempt to deliver a callback: the receiver's `status`, or why there is none. Neither: it is
 * under way.
 */
export interface CallbackAttempt {
  /** ISO 8601: when it began. */
  at: string;
  status?: number;
  error?: string;
}

/** How a test of a callback went: the receiver's status, or why there is none. */
export interface TestDelivery {
  delivered: boolean;
  status: number | null;
  error: string | null;
  /** Milliseconds. */
  ms: number;
}

/** The state of a callback's delivery. The workflow's memo keeps it when it is over. */
export interface CallbackDelivery {
  state: 'pending' | 'delivered' | 'failed';
  attempts: CallbackAttempt[];
  /** ISO 8601: when the next attempt is due. Only while the delivery waits for it. */
  nextAttemptAt?: string;
}

/**
 * The notes in `sendCallback`'s heartbeats and failures: the attempts so far, including the one
 * under way.
 */
export interface KeptAttempts {
  attempts: CallbackAttempt[];
}

/**
 * The attempts when none is under way any more. A kill or a timeout interrupted each attempt that
 * has no end.
 */
export const ended = (attempts: CallbackAttempt[]): CallbackAttempt[] =>
  attempts.map((attempt) =>
    attempt.status === undefined && attempt.error === undefined
      ? { ...attempt, error: 'The attempt was interrupted' }
      : attempt,
  );
