import { DomainError } from '../../errors.ts';

/**
 * Work beside all other work, one at a time, which gives way when it must.
 * @param onFailure is told when it did not come to its end
 */
export function createBackgroundWork(onFailure: () => void) {
  let current: { stop: AbortController; done: Promise<void> } | undefined;
  let others: Promise<void> = Promise.resolve();
  return {
    async run(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
      for (let before; before !== others;) await (before = others);
      const stop = new AbortController();
      const done = work(AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));
      current = { stop, done };
      try {
        await done;
      } catch (error) {
        onFailure();
        throw error;
      } finally {
        current = undefined;
      }
    },
    /** Ends it, and lets none begin until other work is done. Calls come one after the other. */
    async without(other: () => Promise<void>): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      others = promise;
      try {
        current?.stop.abort(
          new DomainError('GIT_FAILED', 'Maintenance gave way to other work', { retryable: true }),
        );
        await current?.done.catch(() => undefined);
        await other();
      } finally {
        resolve();
      }
    },
  };
}
