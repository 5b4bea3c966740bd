/** The delivery of a callback, as the API, the workflow and the activity know it. Imports nothing, like task.ts. */

/** One attempt to deliver a callback: the receiver's `status`, or why there is none. Neither: it is under way. */
export interface CallbackAttempt {
  /** ISO 8601: when it began. */
  at: string;
  status?: number;
  error?: string;
}

/** How the delivery of a callback goes. The workflow's memo keeps it when it is over. */
export interface CallbackDelivery {
  state: 'pending' | 'delivered' | 'failed';
  attempts: CallbackAttempt[];
  /** ISO 8601: when the next attempt is due. Only while the delivery waits for it. */
  nextAttemptAt?: string;
}

/** What `sendCallback` keeps in its heartbeats and failures: the attempts so far, the one under way included. */
export interface KeptAttempts {
  attempts: CallbackAttempt[];
}

/** The attempts, none of them under way any more: an attempt without an end was interrupted, by a kill or a timeout. */
export const ended = (attempts: CallbackAttempt[]): CallbackAttempt[] =>
  attempts.map((attempt) =>
    attempt.status === undefined && attempt.error === undefined
      ? { ...attempt, error: 'The attempt was interrupted' }
      : attempt,
  );
