import type { TaskStatus } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';

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
