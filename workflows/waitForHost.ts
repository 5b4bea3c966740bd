import { CancellationScope, isCancellation, setHandler } from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { TaskInput } from '../src/contract/task.ts';
import type {
  DeploymentCheck,
  DeploymentStatus,
  PendingMerge,
} from '../src/contract/deployment.ts';
import {
  deploymentCheckActivities,
  taskRefOf,
  siteLabel,
  summaryOptions,
} from './activityProxies.ts';
import { forgeEventSignal } from './taskMessages.ts';
import { MERGE_WAIT_MS } from './policies.ts';
import type { ProgressReporter } from './progress.ts';

/** The task, or the batch, that waits. */
type WaitingTask = Parameters<typeof taskRefOf>[0] & Pick<TaskInput, 'siteName'>;
/** Shows clients what the task waits for. */
type WaitReporter = Pick<ProgressReporter, 'waitsFor'>;

/** Waits until an external host shows the pages of a deployment. @returns the pages' URLs */
export function waitForPages(
  task: WaitingTask,
  deploymentCheck: DeploymentCheck,
  reporter: WaitReporter,
): Promise<DeploymentStatus> {
  const title = summaryOptions(`Wait for ${deploymentCheck.what} (${siteLabel(task)})`);
  return repeatUntilDone(deploymentCheck, reporter, (since) =>
    deploymentCheckActivities.checkDeployment.executeWithOptions(title, [
      { task: taskRefOf(task), deploymentCheck, since },
    ]),
  );
}

/**
 * Waits until a pull request is merged.
 * @returns the commit of the production branch after the merge
 */
export function waitForMerge(
  task: WaitingTask,
  merge: PendingMerge,
  reporter: WaitReporter,
): Promise<string> {
  const waitReason = merge.byPeople
    ? 'a person to merge the pull request'
    : 'the merge of the pull request';
  const title = summaryOptions(`Wait for ${waitReason} (${siteLabel(task)})`);
  return repeatUntilDone({ what: waitReason, url: merge.url }, reporter, (since) => {
    const until = merge.byPeople
      ? new Date(Date.parse(since) + MERGE_WAIT_MS).toISOString()
      : undefined;
    const argument = { task: taskRefOf(task), merge, since, ...withoutUndefined({ until }) };
    return deploymentCheckActivities.mergePullRequest.executeWithOptions(title, [argument]);
  });
}

/** Temporal repeats the activity until it succeeds. An event of the forge repeats it at once. */
async function repeatUntilDone<T>(
  { what, url }: { what: string; url: string },
  reporter: WaitReporter,
  tryOnce: (since: string) => Promise<T>,
): Promise<T> {
  const since = new Date().toISOString();
  let hasForgeEvent = false;
  let currentScope: CancellationScope | undefined;
  setHandler(forgeEventSignal, () => {
    hasForgeEvent = true;
    currentScope?.cancel();
  });
  reporter.waitsFor({ what, url, since });
  try {
    for (;;) {
      hasForgeEvent = false;
      currentScope = new CancellationScope();
      try {
        return await currentScope.run(() => tryOnce(since));
      } catch (error) {
        if (
          !hasForgeEvent ||
          !isCancellation(error) ||
          CancellationScope.current().consideredCancelled
        )
          throw error;
      }
    }
  } finally {
    setHandler(forgeEventSignal, undefined);
    reporter.waitsFor();
  }
}
