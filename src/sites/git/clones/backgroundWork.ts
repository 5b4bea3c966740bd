import { DomainError } from '../../../errors.ts';
import { anySignal } from '../../../waitCounters.ts';

/**
 * Runs the maintenance of a clone in the background, one job at a time. Work that can't run at the
 * same time stops it.
 * @param onFailure called when maintenance failed or was stopped
 */
export function createBackgroundWork(onFailure: () => void) {
  let currentJob: { stop: AbortController; done: Promise<void> } | undefined;
  let pendingWork: Promise<void> = Promise.resolve();
  return {
    async run(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
      for (let previous; previous !== pendingWork;) await (previous = pendingWork);
      const stop = new AbortController();
      const done = work(anySignal(stop.signal, signal));
      currentJob = { stop, done };
      try {
        await done;
      } catch (error) {
        onFailure();
        throw error;
      } finally {
        currentJob = undefined;
      }
    },
    /**
     * Stops maintenance, runs other work, and lets maintenance start again only when that is done.
     * A second call must wait for the end of the first one.
     */
    async without<T>(otherWork: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<void>();
      pendingWork = promise;
      try {
        currentJob?.stop.abort(
          new DomainError(
            'GIT_FAILED',
            'Repository maintenance stopped so that other work could run',
            { retryable: true },
          ),
        );
        await currentJob?.done.catch(() => undefined);
        return await otherWork();
      } finally {
        resolve();
      }
    },
  };
}
