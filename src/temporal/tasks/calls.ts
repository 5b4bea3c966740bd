import type { Client } from '@temporalio/client';

/** A Temporal client, and a function that makes its calls with deadlines. */
export interface Calls {
  client: Client;
  /** Makes a call to Temporal that succeeds or fails within `ms` milliseconds. */
  within<T>(ms: number, call: () => Promise<T>): Promise<T>;
  /** Resolves when no call is in progress. */
  settled(): Promise<void>;
}

/**
 * Makes calls with deadlines. The SDK repeats a failed call after a pause, which may outlast the
 * call's deadline. Closing the connection during that pause would end the process, so wait for
 * `settled` before you close it.
 */
export function createCalls(client: Client): Calls {
  const underWay = new Set<Promise<unknown>>();
  return {
    client,
    within(ms, call) {
      const made = client.withDeadline(Date.now() + ms, call);
      const ended = made.catch(() => undefined).finally(() => underWay.delete(ended));
      underWay.add(ended);
      return Promise.race([made, late(ms, ended)]);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

function late(ms: number, ended: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Temporal did not answer within ${ms} ms`)),
      ms,
    );
    void ended.then(() => clearTimeout(timer));
  });
}
