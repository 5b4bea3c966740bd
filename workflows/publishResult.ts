import type { PublishWork, TaskInput } from '../src/contract/task.ts';
import { gitSteps, refOf, siteOf } from './activities.ts';
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
  const read = `Read the result of ${work.result.taskId} on ${siteOf(task)}`;
  const argument = { task: refOf(task), result: work.result };
  const result = await atHome(task, gitSteps.readResult, read, argument);
  return { ...result, notes: notesOn(result, work), externalIds: work.externalIds };
}

/** Notes on the pages that go live now: those of a task below may be live already. */
function notesOn({ created, modified, deleted }: WorkResult, { notes }: PublishWork) {
  const slugs = new Set([...created, ...modified, ...deleted].map(({ slug }) => slug));
  return notes.filter(({ page }) => page === undefined || slugs.has(page));
}
