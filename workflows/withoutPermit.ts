import { CancellationScope, CancelledFailure, upsertMemo } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import {
  permitActivities,
  taskRefOf,
  resolvingActivities,
  siteLabel,
  summaryOptions,
} from './activityProxies.ts';
import { CANCELLED, settle } from './failures.ts';
import type { WorkLimit } from './workLimit.ts';

/** Waits for people. */
export type WithoutPermit = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * While a task waits for people, it has no place in flight, and its time does not count as work.
 * The memo tells it, so that the check of leases returns a place that is left behind. If the wait
 * fails, the task gets no place again: it ends.
 */
export function createWithoutPermit(task: TaskInput, workLimit: WorkLimit): WithoutPermit {
  const taskRef = taskRefOf(task);
  const siteName = siteLabel(task);
  return (wait) =>
    workLimit.paused(async () => {
      upsertMemo({ releasedPermit: true });
      const releaseTitle = summaryOptions(
        `Release the permit of the task on ${siteName} while it waits`,
      );
      await settle(
        resolvingActivities.releasePermit.executeWithOptions(releaseTitle, [{ task: taskRef }]),
      );
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure(CANCELLED);
      const result = await wait();
      upsertMemo({ releasedPermit: null });
      const acquireTitle = summaryOptions(`Acquire a permit for the task on ${siteName}`);
      const after = new Date().toISOString();
      await permitActivities.acquirePermit.executeWithOptions(acquireTitle, [
        { task: taskRef, after },
      ]);
      return result;
    });
}
