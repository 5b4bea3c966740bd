import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Counts {
  /** Commits of tasks, merges not counted, that any ref of the demo's own repository leads to. */
  commits: number;
  /** Steps of the production branch. */
  publishes: number;
}

/**
 * The tasks of the commits that revisions of a repository lead to, told by the trailer
 * `Agent-Task`.
 */
export async function tasksIn(repository: string, ...revisions: string[]): Promise<string[]> {
  const format = '--format=%(trailers:key=Agent-Task,valueonly,separator=%x2C)';
  const { stdout } = await run('git', ['log', format, ...revisions], { cwd: repository });
  return stdout.split('\n').filter((taskId) => taskId !== '');
}

/** How often a task, or any of several, shows in the demo site's own repository. */
export async function countsOf(dataDir: string, taskIds: string[]): Promise<Counts> {
  const repository = join(dataDir, 'demo', 'site.git');
  const countIn = async (...revisions: string[]) =>
    (await tasksIn(repository, ...revisions)).filter((taskId) => taskIds.includes(taskId)).length;
  return {
    commits: await countIn('--all', '--no-merges'),
    publishes: await countIn('--first-parent', 'main'),
  };
}
