import type { ResultCommit, Site } from '../contract/site.ts';
import { DomainError, invalidInput } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { requireResult } from './previews.ts';
import { completed } from './results.ts';

/**
 * The commit that a completed task's preview shows, with its edits by hand.
 * @throws DomainError NOT_FOUND; INVALID_INPUT for a task of another site; CONFLICT if the task
 *   runs, failed or changed nothing, or if its result is no longer kept
 */
export async function findResult(
  { organizationId }: Caller,
  deps: Needs<'tasks' | 'deployments'>,
  { site, taskId }: { site: Pick<Site, 'siteId'>; taskId: string },
): Promise<ResultCommit> {
  const task = await deps.tasks.find(organizationId, taskId);
  if (task.siteId !== site.siteId) throw invalidInput('taskId names a task of another site');
  const { result } = completed(task, 'read');
  if (!result)
    throw new DomainError('CONFLICT', 'Task changed nothing: its pages are those of the site');
  await requireResult(deps, result.taskId);
  const preview = await deps.deployments.preview(result.taskId);
  return preview ?? { commit: result.commit, heldBy: result.taskId };
}
