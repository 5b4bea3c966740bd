import { limits, type Note } from '../src/contract/task.ts';
import {
  type ChangedPages,
  changedPages,
  differingPaths,
} from '../src/sites/pages/deriveSitemap.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openBase } from './taskRepository.ts';

interface RestoreDeployment {
  task: TaskRef;
  base: string;
  /** The commit of the earlier deployment. */
  commit: string;
  /** When it went live, in ISO 8601. */
  at: string;
}

/**
 * Commits the files of an earlier deployment on the task's base, and pushes the commit to the
 * task's hidden ref. Repeatable: the same input makes the same commit, and an existing commit is
 * used. Throws CONFLICT, GIT_FAILED, LIMIT_EXCEEDED.
 */
export function createRestoreDeployment(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages'>,
) {
  return async (
    { task, base: baseCommit, commit: earlier, at }: RestoreDeployment,
    signal: AbortSignal,
  ): Promise<ChangedPages & { commit: string; notes: Note[] }> => {
    const opened = await openBase(deps, { task, base: baseCommit }, signal);
    const { site, repository, base, tree: before } = opened;
    const { taskId, createdAt, organizationId } = task;
    const message = `Restore the version of ${at.slice(0, 10)} ${at.slice(11, 16)} UTC\n\nIt was ${earlier.slice(0, 10)}.`;
    const restoring = {
      taskId,
      base,
      earlier: { commit: earlier, heldBy: null },
      message,
      author: site.author,
      createdAt,
    };
    const commit = await repository.commitRestoring(restoring, signal);
    const after = await repository.tree({ commit, heldBy: taskId }, signal);
    const pages = deps.pages.for({ organizationId, signal });
    return { commit, ...named(changedPages(pages, before, after, differingPaths(before, after))) };
  };
}

/** Names at most as many pages as a task can. A note tells how many are left out. */
function named({ created, modified, deleted }: ChangedPages): ChangedPages & { notes: Note[] } {
  let left: number = limits.pagesPerTask;
  const take = <T>(pages: T[]) => {
    const taken = pages.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const shown = { created: take(created), modified: take(modified), deleted: take(deleted) };
  const count = [created, modified, deleted].flat().length - Object.values(shown).flat().length;
  const notes: Note[] =
    count > 0
      ? [{ kind: 'changed', text: `${count} more pages changed`, value: String(count) }]
      : [];
  return { ...shown, notes };
}
