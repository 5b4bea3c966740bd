import type { Client } from '@temporalio/client';

/** A Temporal client, and a function that makes its calls with deadlines. */
export interface TemporalCalls {
  client: Client;
  /** Makes a call to Temporal that succeeds or fails within `withinMs` milliseconds. */
  within<T>(withinMs: number, call: () => Promise<T>): Promise<T>;
  /** Resolves when no call is in progress. */
  settled(): Promise<void>;
}

/**
 * Makes calls with deadlines. The SDK repeats a failed call after a pause, which may outlast the
 * call's deadline. Closing the connection during that pause would end the process, so wait for
 * `settled` before you close it.
 */
export function createTemporalCalls(client: Client): TemporalCalls {
  const openCalls = new Set<Promise<unknown>>();
  return {
    client,
    within(withinMs, call) {
      const startedCall = client.withDeadline(Date.now() + withinMs, call);
      const endedCall = startedCall
        .catch(() => undefined)
        .finally(() => openCalls.delete(endedCall));
      openCalls.add(endedCall);
      return Promise.race([startedCall, rejectLate(withinMs, endedCall)]);
    },
    async settled() {
      await Promise.all(openCalls);
    },
  };
}

function rejectLate(withinMs: number, endedCall: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Temporal did not answer within ${withinMs} ms`)),
      withinMs,
    );
    void endedCall.then(() => clearTimeout(timer));
  });
}
