import { DomainError } from '../errors.ts';
import type { ResultCommit } from '../contract/site.ts';
import type { Repository } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';

interface Advance {
  siteId: string;
  taskId: string;
  commit: string;
}

const ATTEMPTS = 20;

/**
 * Moves a task's preview to a commit: by compare-and-set, and only to a descendant of the commit
 * that it shows. So the slower of two edits by hand never hides the other.
 * @returns the commit that the preview shows now
 * @throws DomainError NOT_FOUND without a preview, DEPLOYMENT_FAILED; retryable if others were
 *   faster each time
 */
export async function advancePreview(
  deployments: Pick<Deployments, 'preview' | 'movePreview'>,
  repository: Pick<Repository, 'isAncestor'>,
  { siteId, taskId, commit }: Advance,
  signal?: AbortSignal,
): Promise<ResultCommit> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const shown = await deployments.preview(taskId);
    if (shown?.siteId !== siteId || !shown.isShown)
      throw new DomainError('NOT_FOUND', `Task ${taskId} has no preview`);
    const wanted = { commit, heldBy: shown.heldBy };
    if (await repository.isAncestor(wanted, shown, signal))
      return { commit: shown.commit, heldBy: shown.heldBy };
    if (!(await repository.isAncestor(shown, wanted, signal)))
      throw new DomainError(
        'DEPLOYMENT_FAILED',
        `The preview of ${taskId} shows a commit that ${commit} does not build on`,
      );
    if (await deployments.movePreview({ taskId, commit, expected: shown.commit })) return wanted;
  }
  throw new DomainError(
    'DEPLOYMENT_FAILED',
    `The preview of ${taskId} was moved by others each time`,
    {
      retryable: true,
    },
  );
}
