import { CancellationScope, CancelledFailure, upsertMemo } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import { placeSteps, refOf, settlingSteps, siteOf, summary } from './activities.ts';
import { CANCELLED, settle } from './failures.ts';
import type { WorkLimit } from './workLimit.ts';

/** Waits for people. */
export type WithoutPlace = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * While a task waits for people, it has no place in flight, and its time does not count as work.
 * The memo tells it, so that the check of leases returns a place that is left behind. If the wait
 * fails, the task gets no place again: it ends.
 */
export function createWithoutPlace(task: TaskInput, limit: WorkLimit): WithoutPlace {
  const ref = refOf(task);
  const site = siteOf(task);
  return (wait) =>
    limit.paused(async () => {
      upsertMemo({ leftPlace: true });
      const leave = summary(`Give the place of the task on ${site} back while it waits`);
      await settle(settlingSteps.leavePlace.executeWithOptions(leave, [{ task: ref }]));
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure(CANCELLED);
      const result = await wait();
      upsertMemo({ leftPlace: null });
      const again = summary(`Take a place for the task on ${site} again`);
      const after = new Date().toISOString();
      await placeSteps.takePlace.executeWithOptions(again, [{ task: ref, after }]);
      return result;
    });
}
