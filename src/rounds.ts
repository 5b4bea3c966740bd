import { setTimeout as delay } from 'node:timers/promises';

interface Rounds {
  /** Milliseconds between the end of a round and the next one; the first comes after as many. */
  every: number;
  /** Ends early where the signal aborts. */
  round: (signal: AbortSignal) => Promise<void>;
  /** Told why a round failed; the next one comes all the same. */
  onFailure: (error: unknown) => void;
}

/** Does something again and again in the background, one round at a time, until it is closed. */
export function startRounds({ every, round, onFailure }: Rounds) {
  const closing = new AbortController();
  const { signal } = closing;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await delay(every, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await round(signal).catch(onFailure);
    }
  }

  const running = run();
  return {
    /** Resolves when the round at hand has ended. */
    async close() {
      closing.abort(new Error('The service is stopping'));
      await running;
    },
  };
}
