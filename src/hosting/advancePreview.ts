import { DomainError } from '../errors.ts';
import type { ResultCommit } from '../contract/site.ts';
import type { GitRepository } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { repeatCompareAndSet } from './repeatCompareAndSet.ts';

interface PreviewAdvance {
  siteId: string;
  taskId: string;
  commit: string;
}

/**
 * Moves a task's preview to a commit, by compare-and-set. The commit must descend from the one that
 * the preview shows, so that the slower of two edits by hand never hides the other.
 * @returns the commit that the preview shows now
 * @throws DomainError NOT_FOUND without a preview; DEPLOYMENT_FAILED if the preview shows another
 *   line of commits, or (retryable) if another request changed the preview at each attempt
 */
export async function advancePreview(
  deployments: Pick<Deployments, 'preview' | 'movePreview'>,
  repository: Pick<GitRepository, 'isAncestor'>,
  { siteId, taskId, commit }: PreviewAdvance,
  signal?: AbortSignal,
): Promise<ResultCommit> {
  return repeatCompareAndSet(
    `The preview of ${taskId} was changed by other requests at each attempt`,
    async () => {
      const shownPreview = await deployments.preview(taskId);
      if (shownPreview?.siteId !== siteId || !shownPreview.isShown)
        throw new DomainError('NOT_FOUND', `The task ${taskId} has no preview`);
      const wantedCommit = { commit, retainedBy: shownPreview.retainedBy };
      if (await repository.isAncestor(wantedCommit, shownPreview, signal))
        return { commit: shownPreview.commit, retainedBy: shownPreview.retainedBy };
      if (!(await repository.isAncestor(shownPreview, wantedCommit, signal)))
        throw new DomainError(
          'DEPLOYMENT_FAILED',
          `The preview of ${taskId} shows a commit which is not an ancestor of ${commit}`,
        );
      const isMoved = await deployments.movePreview({
        taskId,
        commit,
        expected: shownPreview.commit,
      });
      return isMoved && wantedCommit;
    },
  );
}
