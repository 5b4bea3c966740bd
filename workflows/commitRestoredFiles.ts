import type { RestoreWork, TaskInput } from '../src/contract/task.ts';
import { gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import type { ProgressReporter } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/** The work of a restore task: commits the files of an earlier deployment on the latest commit. */
export async function commitRestoredFiles(
  task: TaskInput,
  work: RestoreWork,
  progress: ProgressReporter,
): Promise<WorkResult> {
  progress.phase('reading');
  const readTitle = `Read the production branch of ${siteLabel(task)}`;
  const { base } = await runOnPreferredWorker(task, gitActivities.readSite, readTitle, {
    task: taskRefOf(task),
  });
  progress.phase('committing');
  const restoreTitle = `Restore ${siteLabel(task)} to ${work.commit.slice(0, 10)}`;
  const argument = { task: taskRefOf(task), base, commit: work.commit, at: work.at };
  return {
    base,
    ...(await runOnPreferredWorker(task, gitActivities.restoreDeployment, restoreTitle, argument)),
  };
}
