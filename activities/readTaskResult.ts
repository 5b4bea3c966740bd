import { limits, type TaskResult } from '../src/contract/task.ts';
import {
  findChangedPages,
  type ChangedPages,
  differingPaths,
} from '../src/sites/pages/sitemap/deriveSitemap.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { refuseUnapproved } from '../src/sites/publishApproval.ts';
import { refuseTooMuch } from './historyLimits.ts';
import { openSite } from './openSite.ts';

interface ReadTaskResultInput {
  task: TaskRef;
  result: TaskResult;
}

/**
 * Reads what publishing another task's result would change: the result's current commit, and the
 * pages that differ from its merge base with the production branch. This includes manual edits, and
 * the tasks that the result builds on. Repeatable: it only reads. Throws GIT_FAILED,
 * LIMIT_EXCEEDED, and APPROVAL_REQUIRED if the result was edited after its approval.
 */
export function createReadTaskResult(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'pages' | 'approvals'>,
) {
  return async (
    { task, result }: ReadTaskResultInput,
    signal: AbortSignal,
  ): Promise<ChangedPages & { base: string; commit: string }> => {
    const { site, repository } = await openSite(deps, task);
    const { taskId: retainedBy, root } = result;
    const commit = await repository.fetchResult({ commit: result.commit, retainedBy }, signal);
    await refuseUnapproved(deps, site, { commit, retainedBy });
    const mergeBase = await repository.fetchMergeBase(root, { commit, retainedBy }, signal);
    const base = mergeBase === commit ? root : mergeBase;
    const treeBefore = await repository.tree({ commit: base, retainedBy }, signal);
    const treeAfter = await repository.tree({ commit, retainedBy }, signal);
    const pages = deps.pages.for({ organizationId: task.organizationId, signal });
    const changedFiles = findChangedPages(
      pages,
      treeBefore,
      treeAfter,
      differingPaths(treeBefore, treeAfter),
    );
    refuseTooMany(changedFiles);
    return { base, commit, ...changedFiles };
  };
}

/**
 * Refuses more changed pages than a task's memo can name. Tasks that build on each other may
 * together change more.
 */
function refuseTooMany({ created, modified, deleted }: ChangedPages) {
  const count = created.length + modified.length + deleted.length;
  const limitRule = 'can be published at once. Publish its base tasks first';
  refuseTooMuch(count, limits.pagesPerTask, `The result changes ${count} pages`, limitRule);
}
