import type { ResultCommit, Site, TaskPreview } from '../contract/site.ts';
import { TASK_RUNNING, type TaskResult, type TaskStatus } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { foreignTaskError, requireCompleted } from './taskResults.ts';

/** Which kinds of addresses of a task's pages still work. */
export interface OpenUrls {
  previews: boolean;
  edits: boolean;
}

/** Why a result can't be used whose preview has expired. */
export const EXPIRED_RESULT = 'The result of the task has expired. Create the task again';
export const allUrlsOpen: OpenUrls = { previews: true, edits: true };

/**
 * Tells which of a task's addresses still work. Previews stop when they are deleted or expire.
 * Pages are edited under the id of the task that created them, so a publish task's edit URLs depend
 * on the published task's preview.
 */
export async function findOpenUrls(
  { deployments }: NeededPorts<'deployments'>,
  { taskId, status }: { taskId: string; status: TaskStatus },
): Promise<OpenUrls> {
  if (status === 'running') return allUrlsOpen;
  const ownPreview = await deployments.knownPreview(taskId);
  const editedPreview =
    ownPreview && ownPreview.retainedBy !== taskId
      ? await deployments.knownPreview(ownPreview.retainedBy)
      : ownPreview;
  return { previews: ownPreview?.isShown ?? false, edits: editedPreview?.isShown ?? false };
}

/** Checks that a task's preview is shown. @throws DomainError CONFLICT if it is not */
export async function requirePreview(
  { deployments }: NeededPorts<'deployments'>,
  taskId: string,
): Promise<void> {
  const preview = await deployments.preview(taskId);
  if (!preview?.isShown)
    throw new DomainError(
      'CONFLICT',
      'The preview was deleted or has expired. Create the task again to get a new one',
    );
}

/**
 * Checks that a result is still kept. A result is removed after its preview has expired.
 * @param holderId the task whose hidden ref keeps the result's commit
 * @throws DomainError CONFLICT if the result is no longer kept
 */
export async function requireResult(
  { deployments }: NeededPorts<'deployments'>,
  holderId: string,
): Promise<void> {
  const preview = await deployments.preview(holderId);
  if (preview?.isGone) throw new DomainError('CONFLICT', EXPIRED_RESULT);
}

/** The commit that a task's preview shows: its result, with the edits by hand on top of it. */
export async function shownCommit(
  { deployments }: NeededPorts<'deployments'>,
  taskId: string,
  result: TaskResult,
): Promise<ResultCommit & Pick<TaskPreview, 'base'>> {
  const preview = await deployments.preview(taskId);
  return preview ?? { commit: result.commit, retainedBy: result.taskId };
}

/**
 * The commit that the preview of a completed task of a site shows.
 * @throws DomainError NOT_FOUND; INVALID_INPUT for a task of another site; CONFLICT if the task
 *   runs, failed or changed nothing, or if its result is no longer kept
 */
export async function findShownCommit(
  { organizationId }: RequestCaller,
  deps: NeededPorts<'tasks' | 'deployments'>,
  { site, taskId }: { site: Pick<Site, 'siteId'>; taskId: string },
): Promise<ResultCommit> {
  const task = await deps.tasks.find(organizationId, taskId);
  if (task.siteId !== site.siteId) throw foreignTaskError('taskId');
  const { result } = requireCompleted(task, 'read');
  if (!result)
    throw new DomainError(
      'CONFLICT',
      'The task changed nothing, so its pages are those of the site',
    );
  await requireResult(deps, result.taskId);
  return shownCommit(deps, result.taskId, result);
}

/**
 * Deletes a task's preview.
 * @throws DomainError NOT_FOUND, CONFLICT if the task runs, because it could still create a preview
 */
export async function removePreview(
  { organizationId }: RequestCaller,
  { tasks, sites, hosting }: NeededPorts<'tasks' | 'sites' | 'hosting'>,
  taskId: string,
): Promise<void> {
  const { siteId, finished } = await tasks.find(organizationId, taskId);
  if (!finished) throw new DomainError('CONFLICT', TASK_RUNNING);
  const site = await sites.find(organizationId, siteId);
  if (site) await hosting.endPreview({ site, taskId });
}
