import { CancellationScope, sleep } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import { siteOf, summary } from './activities.ts';
import { WORK_LIMIT_MS } from './policies.ts';

export type WorkLimit = ReturnType<typeof createWorkLimit>;

/**
 * Cancels work that takes too long, without the time in which it is paused. A scope's own `timeout`
 * would have no summary for the Temporal UI.
 */
export function createWorkLimit(task: TaskInput, work: CancellationScope) {
  let left = WORK_LIMIT_MS;
  let began = 0;
  let timer: CancellationScope | undefined;

  const start = () => {
    const title = summary(`The longest time that the work on ${siteOf(task)} may take`);
    began = Date.now();
    timer = new CancellationScope();
    timer
      .run(() => sleep(left, title))
      .then(
        () => work.cancel(),
        () => undefined,
      );
  };
  const stop = () => {
    if (timer && !timer.consideredCancelled) timer.cancel();
    left = Math.max(1, left - (Date.now() - began));
  };

  return {
    async within<T>(run: () => Promise<T>): Promise<T> {
      start();
      try {
        return await run();
      } finally {
        stop();
      }
    },
    /** Runs something that does not count as work. */
    async paused<T>(run: () => Promise<T>): Promise<T> {
      stop();
      try {
        return await run();
      } finally {
        start();
      }
    },
  };
}
