import type { PublishWork, TaskInput } from '../src/contract/task.ts';
import { git, refOf, siteOf, summary } from './activities.ts';
import { atHome } from './atHome.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/**
 * The work of a publish task: finds the other task's current result, with edits by hand and the
 * steps below it.
 */
export async function publishResult(
  task: TaskInput,
  work: PublishWork,
  progress: Progress,
): Promise<WorkResult> {
  progress.phase('reading');
  const read = summary(`Read the result of ${work.result.taskId} on ${siteOf(task)}`);
  const result = await atHome(task, git.readResult, read, [
    { task: refOf(task), result: work.result },
  ]);
  return { ...result, notes: notesOn(result, work), externalIds: work.externalIds };
}

/** Notes on what goes live: a page of a task below may be live already. */
function notesOn({ created, modified, deleted }: WorkResult, { notes }: PublishWork) {
  const slugs = new Set([...created, ...modified, ...deleted].map(({ slug }) => slug));
  return notes.filter(({ page }) => page === undefined || slugs.has(page));
}
