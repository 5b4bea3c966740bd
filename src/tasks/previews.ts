import type { ResultCommit, Site } from '../contract/site.ts';
import type { TaskResult, TaskStatus } from '../contract/task.ts';
import { DomainError, invalidInput } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { completed } from './results.ts';

/** Which kinds of addresses of a task's pages still work. */
export interface OpenAddresses {
  previews: boolean;
  edits: boolean;
}

export const allOpen: OpenAddresses = { previews: true, edits: true };

/**
 * Tells which of a task's addresses still work. Previews stop when they are deleted or expire.
 * Pages are edited under the task that made them, so a publish task's edit addresses depend on the
 * published task's preview.
 */
export async function openAddresses(
  { deployments }: Needs<'deployments'>,
  { taskId, status }: { taskId: string; status: TaskStatus },
): Promise<OpenAddresses> {
  if (status === 'running') return allOpen;
  const own = await deployments.knownPreview(taskId);
  const edited = own && own.heldBy !== taskId ? await deployments.knownPreview(own.heldBy) : own;
  return { previews: own?.isShown ?? false, edits: edited?.isShown ?? false };
}

/** @throws DomainError CONFLICT if the task's preview is no longer shown */
export async function requirePreview(
  { deployments }: Needs<'deployments'>,
  taskId: string,
): Promise<void> {
  const preview = await deployments.preview(taskId);
  if (!preview?.isShown)
    throw new DomainError('CONFLICT', 'Preview is gone: it was deleted or has expired');
}

/**
 * @param holder the task whose ref holds the result
 * @throws DomainError CONFLICT if the result is no longer kept
 */
export async function requireResult(
  { deployments }: Needs<'deployments'>,
  holder: string,
): Promise<void> {
  const preview = await deployments.preview(holder);
  if (preview?.isGone)
    throw new DomainError('CONFLICT', 'Result is gone: the task finished too long ago');
}

/** The commit that a task's preview shows: its result, with the edits by hand on top of it. */
export async function shownCommit(
  { deployments }: Needs<'deployments'>,
  taskId: string,
  result: TaskResult,
): Promise<ResultCommit> {
  const preview = await deployments.preview(taskId);
  return preview ?? { commit: result.commit, heldBy: result.taskId };
}

/**
 * The commit that the preview of a completed task of a site shows.
 * @throws DomainError NOT_FOUND; INVALID_INPUT for a task of another site; CONFLICT if the task
 *   runs, failed or changed nothing, or if its result is no longer kept
 */
export async function findShownCommit(
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
  return shownCommit(deps, result.taskId, result);
}

/**
 * Deletes a task's preview.
 * @throws DomainError NOT_FOUND, CONFLICT if the task runs, because it could still create a preview
 */
export async function removePreview(
  { organizationId }: Caller,
  { tasks, sites, hosting }: Needs<'tasks' | 'sites' | 'hosting'>,
  taskId: string,
): Promise<void> {
  const { siteId, finished } = await tasks.find(organizationId, taskId);
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  const site = await sites.find(organizationId, siteId);
  if (site) await hosting.endPreview({ site, taskId });
}
