import type { PublishWork, TaskInput } from '../src/contract/task.ts';
import { gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import type { ProgressReporter } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/**
 * The work of a publish task, which makes nothing new: finds the other task's current result, with
 * edits by hand and the unpublished tasks that it builds on.
 */
export async function readPublishedResult(
  task: TaskInput,
  work: PublishWork,
  progress: ProgressReporter,
): Promise<WorkResult> {
  progress.phase('reading');
  const readTitle = `Read the result of ${work.result.taskId} in ${siteLabel(task)}`;
  const argument = { task: taskRefOf(task), result: work.result };
  const result = await runOnPreferredWorker(
    task,
    gitActivities.readTaskResult,
    readTitle,
    argument,
  );
  return { ...result, notes: notesGoingLive(result, work), externalIds: work.externalIds };
}

/** The notes on pages that go live now. Pages of a base task may be live already. */
function notesGoingLive({ created, modified, deleted }: WorkResult, { notes }: PublishWork) {
  const slugs = new Set([...created, ...modified, ...deleted].map(({ slug }) => slug));
  return notes.filter(({ page }) => page === undefined || slugs.has(page));
}
