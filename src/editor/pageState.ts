import type { CurrentPage, CurrentPageDeps } from './currentPage.ts';
import type { PageState } from './protocol.ts';
import type { EditableTask } from './editableTask.ts';

/**
 * Whether the live site has the page. The live commit tells whether the task's result is published,
 * by this task or another. The record of publications tells whether a later publish replaced the
 * page.
 */
export async function stateOf(
  { deployments }: Pick<CurrentPageDeps, 'deployments'>,
  { taskId, siteId, commit: own }: EditableTask,
  { repository, commit, slug }: Pick<CurrentPage, 'repository' | 'commit' | 'slug'>,
): Promise<PageState> {
  const deployed = await deployments.live(siteId);
  if (!deployed) return 'draft';
  const live = { commit: deployed.commit, heldBy: null };
  const isLive = (each: string) => repository.isAncestor({ commit: each, heldBy: taskId }, live);
  if (await isLive(commit)) {
    const published = (await deployments.publications.of([taskId])).get(taskId);
    return published?.replaced.includes(slug) ? 'replaced' : 'live';
  }
  return own !== commit && (await isLive(own)) ? 'edited' : 'draft';
}
