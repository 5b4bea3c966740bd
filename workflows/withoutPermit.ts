import { CancellationScope, CancelledFailure, upsertMemo } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import {
  permitActivities,
  taskRefOf,
  releasingActivities,
  siteLabel,
  summaryOptions,
} from './activityProxies.ts';
import type { EventNotifier } from './eventNotifier.ts';
import { CANCELLED, settle } from './failures.ts';
import type { WorkLimit } from './workLimit.ts';

/** Runs `wait`, during which the task has no permit and its work limit is paused. */
export type WithoutPermit = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * Creates a function with which a task waits for people: for an answer, or for a merge. Meanwhile,
 * the task gives up its permit (one of the organization's running tasks), and the time does not
 * count as work. If releasing the permit fails, a later check releases it, since the memo field
 * `releasedPermit` says so. If the wait fails, the task ends, so it acquires no new permit.
 */
export function createWithoutPermit(
  task: TaskInput,
  workLimit: WorkLimit,
  notifier: EventNotifier,
): WithoutPermit {
  const taskRef = taskRefOf(task);
  const siteName = siteLabel(task);
  return (wait) =>
    workLimit.paused(async () => {
      upsertMemo({ releasedPermit: true });
      const releaseTitle = summaryOptions(
        `Release the permit of the task on ${siteName} while it waits`,
      );
      const released = await settle(
        releasingActivities.releasePermit.executeWithOptions(releaseTitle, [{ task: taskRef }]),
      );
      if (released.ok) notifier.learn(released.value);
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure(CANCELLED);
      const result = await wait();
      upsertMemo({ releasedPermit: null });
      const acquireTitle = summaryOptions(`Acquire a permit for the task on ${siteName}`);
      // of several waiting tasks, the one whose wait ended first gets the next permit
      const waitEndedAt = new Date().toISOString();
      const acquired = await permitActivities.acquirePermit.executeWithOptions(acquireTitle, [
        { task: taskRef, after: waitEndedAt },
      ]);
      notifier.learn(acquired);
      return result;
    });
}
