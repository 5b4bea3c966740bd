import type { RetainedCommitRef } from '../contract/site.ts';
import type { CurrentPage, CurrentPageDeps } from './currentPage.ts';
import type { PageState } from './protocol.ts';
import type { EditableTask } from './editableTask.ts';

/**
 * Whether the live site has the page. The live commit tells whether the task's result is published,
 * by this task or another. The record of publications tells whether a later publish replaced the
 * page.
 */
export async function readPageState(
  { deployments }: Pick<CurrentPageDeps, 'deployments'>,
  { taskId, siteId, commit: taskCommit, row, isSitePage }: EditableTask,
  current: CurrentPage,
): Promise<PageState> {
  const { repository, commit, slug } = current;
  const liveDeployment = await deployments.live(siteId);
  if (!liveDeployment || row?.isPublished === false) return 'draft';
  const live = { commit: liveDeployment.commit, retainedBy: null };
  if (row || isSitePage) return comparedPageState(current, live);
  const isLive = (candidate: string) =>
    repository.isAncestor({ commit: candidate, retainedBy: taskId }, live);
  if (await isLive(commit)) {
    const published = (await deployments.publications.of([taskId])).get(taskId);
    return published?.replaced.includes(slug) ? 'replaced' : 'live';
  }
  return taskCommit !== commit && (await isLive(taskCommit)) ? 'edited' : 'draft';
}

/**
 * The state of a page by its file alone. The result of a batch may also contain pages on hold, so
 * that no live commit contains it, and the production branch may have commits that are not live.
 */
async function comparedPageState(
  { repository, tree, page }: CurrentPage,
  live: RetainedCommitRef,
): Promise<PageState> {
  const { entries } = await repository.tree(live);
  return entries.get(page.path)?.id === tree.entries.get(page.path)?.id ? 'live' : 'edited';
}
