import type { RestoreWork, TaskInput } from '../src/contract/task.ts';
import { gitSteps, refOf, siteOf } from './activities.ts';
import { atHome } from './atHome.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/** The work of a restore task: commits the files of an earlier commit on top of the current one. */
export async function restoreDeployment(
  task: TaskInput,
  work: RestoreWork,
  progress: Progress,
): Promise<WorkResult> {
  progress.phase('reading');
  const read = `Read the production branch of ${siteOf(task)}`;
  const { base } = await atHome(task, gitSteps.readSite, read, { task: refOf(task) });
  progress.phase('committing');
  const restore = `Commit what ${siteOf(task)} was at ${work.commit.slice(0, 10)}`;
  const argument = { task: refOf(task), base, commit: work.commit, at: work.at };
  return { base, ...(await atHome(task, gitSteps.restoreDeployment, restore, argument)) };
}
