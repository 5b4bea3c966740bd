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

/** How often a task, or any of several, shows in the demo site's own repository, told by the trailer `Agent-Task`. */
export async function countsOf(dataDir: string, taskIds: string[]): Promise<Counts> {
  const trailersOf = async (...revisions: string[]) => {
    const format = '--format=%(trailers:key=Agent-Task,valueonly,separator=%x2C)';
    const { stdout } = await run('git', ['log', format, ...revisions], { cwd: join(dataDir, 'demo', 'site.git') });
    return stdout.split('\n').filter((taskId) => taskIds.includes(taskId));
  };
  const [all, production] = [await trailersOf('--all', '--no-merges'), await trailersOf('--first-parent', 'main')];
  return { commits: all.length, publishes: production.length };
}
