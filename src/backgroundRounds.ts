import { setTimeout as delay } from 'node:timers/promises';

interface RoundOptions {
  /**
   * Milliseconds from the end of one round to the start of the next. The first round starts after
   * the same delay.
   */
  every: number;
  /** The work. It should stop early when the signal aborts. */
  round: (signal: AbortSignal) => Promise<void>;
  /** Called when a round fails. The next round runs anyway. */
  onFailure: (error: unknown) => void;
}

/** Repeats work in the background, one round at a time, until it is closed. */
export function startRounds({ every, round, onFailure }: RoundOptions) {
  const closing = new AbortController();
  const { signal } = closing;

  async function runRounds(): Promise<void> {
    while (!signal.aborted) {
      await delay(every, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await round(signal).catch(onFailure);
    }
  }

  const roundsRunning = runRounds();
  return {
    /** Resolves when the current round has ended. */
    async close() {
      closing.abort(new Error('The service is stopping'));
      await roundsRunning;
    },
  };
}
