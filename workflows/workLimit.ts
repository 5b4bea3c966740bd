import { CancellationScope, sleep } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import { siteLabel, summaryOptions } from './activityProxies.ts';
import { TASK_WORK_LIMIT_MS } from './policies.ts';

export type WorkLimit = ReturnType<typeof createWorkLimit>;

/**
 * Cancels work that takes longer than 24 hours. The time in `paused`, in which the task waits for
 * people, does not count. A scope's own `timeout` would have no summary for the Temporal UI.
 * @param work the scope to cancel
 */
export function createWorkLimit(task: TaskInput, work: CancellationScope) {
  let remainingMs = TASK_WORK_LIMIT_MS;
  let startedAt = 0;
  let timerScope: CancellationScope | undefined;

  const startTimer = () => {
    const title = summaryOptions(
      `Work time limit (${TASK_WORK_LIMIT_MS / 3_600_000} h) for ${siteLabel(task)}`,
    );
    startedAt = Date.now();
    timerScope = new CancellationScope();
    timerScope
      .run(() => sleep(remainingMs, title))
      .then(
        () => work.cancel(),
        () => undefined,
      );
  };
  const stopTimer = () => {
    if (timerScope && !timerScope.consideredCancelled) timerScope.cancel();
    remainingMs = Math.max(1, remainingMs - (Date.now() - startedAt));
  };

  return {
    async within<T>(run: () => Promise<T>): Promise<T> {
      startTimer();
      try {
        return await run();
      } finally {
        stopTimer();
      }
    },
    /** Runs something that does not count as work, such as waiting for an answer. */
    async paused<T>(run: () => Promise<T>): Promise<T> {
      stopTimer();
      try {
        return await run();
      } finally {
        startTimer();
      }
    },
  };
}
