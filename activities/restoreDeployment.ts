import { limits, type Note } from '../src/contract/task.ts';
import {
  type ChangedPages,
  findChangedPages,
  differingPaths,
} from '../src/sites/pages/sitemap/deriveSitemap.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openBase } from './openSite.ts';

interface RestoreDeploymentInput {
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
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'pages'>,
) {
  return async (
    { task, base: baseCommit, commit: earlier, at }: RestoreDeploymentInput,
    signal: AbortSignal,
  ): Promise<ChangedPages & { commit: string; notes: Note[] }> => {
    const openedBase = await openBase(deps, { task, base: baseCommit }, signal);
    const { site, repository, base, tree: before } = openedBase;
    const { taskId, createdAt, organizationId } = task;
    const message = `${restoreSubject(at)}\n\nIts commit was ${earlier.slice(0, 10)}.`;
    const restoreCommit = {
      taskId,
      base,
      earlier: { commit: earlier, retainedBy: null },
      message,
      author: site.author,
      createdAt,
    };
    const commit = await repository.commitRestoring(restoreCommit, signal);
    const treeAfter = await repository.tree({ commit, retainedBy: taskId }, signal);
    const pages = deps.pages.for({ organizationId, signal });
    return {
      commit,
      ...limitNamedPages(
        findChangedPages(pages, before, treeAfter, differingPaths(before, treeAfter)),
      ),
    };
  };
}

/** Names at most as many pages as a task can. A note tells how many are left out. */
function limitNamedPages({
  created,
  modified,
  deleted,
}: ChangedPages): ChangedPages & { notes: Note[] } {
  let remainingPages: number = limits.pagesPerTask;
  const takePages = <T>(pages: T[]) => {
    const namedPages = pages.slice(0, remainingPages);
    remainingPages -= namedPages.length;
    return namedPages;
  };
  const namedChanges = {
    created: takePages(created),
    modified: takePages(modified),
    deleted: takePages(deleted),
  };
  const unnamedCount =
    [created, modified, deleted].flat().length - Object.values(namedChanges).flat().length;
  const notes: Note[] =
    unnamedCount > 0
      ? [
          {
            kind: 'changed',
            text: `${unnamedCount} more pages were changed`,
            value: String(unnamedCount),
          },
        ]
      : [];
  return { ...namedChanges, notes };
}

/** The subject of the commit. @param at when the restored version went live, in ISO 8601 */
export const restoreSubject = (at: string) =>
  `Restore the version of ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
