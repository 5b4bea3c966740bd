/**
 * The delivery of a callback (the POST that tells a client that its task has finished), for the
 * API, the workflow and the activity. Imports nothing.
 */

/**
 * One attempt to deliver a callback. `status` is the receiver's answer, `error` says why there was
 * none. With neither, the attempt is still running.
 */
export interface CallbackAttempt {
  /** When it began, ISO 8601. */
  at: string;
  status?: number;
  error?: string;
}

/** The result of a test callback: the receiver's status, or why there is none. */
export interface TestDelivery {
  delivered: boolean;
  status: number | null;
  error: string | null;
  /** Duration in milliseconds. */
  ms: number;
}

/** The state of a callback's delivery. When it is over, the workflow stores it in its memo. */
export interface CallbackDelivery {
  state: 'pending' | 'delivered' | 'failed';
  attempts: CallbackAttempt[];
  /** When the next attempt is due, ISO 8601. Set only while the delivery waits for it. */
  nextAttemptAt?: string;
}

/**
 * The attempts so far, including the running one. `sendCallback` keeps them in its heartbeats and
 * failures.
 */
export interface RecordedAttempts {
  attempts: CallbackAttempt[];
}

/** The error of an attempt that has no result. */
export const INTERRUPTED_ATTEMPT = 'The attempt was interrupted';

/**
 * The attempts after the delivery stopped. An attempt without a result was interrupted by a kill or
 * a timeout.
 */
export const closeInterruptedAttempts = (attempts: CallbackAttempt[]): CallbackAttempt[] =>
  attempts.map((attempt) =>
    attempt.status === undefined && attempt.error === undefined
      ? { ...attempt, error: INTERRUPTED_ATTEMPT }
      : attempt,
  );
