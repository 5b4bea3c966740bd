import type { TaskStatus } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';

/** Which addresses of a task's pages still lead to something. */
export interface OpenAddresses {
  previews: boolean;
  edits: boolean;
}

export const allOpen: OpenAddresses = { previews: true, edits: true };

/**
 * Which of a task's addresses are open: a finished task's close when its preview is deleted or
 * expires. Pages are edited under the task that made them, so the publish of another task's result
 * depends on that task's preview too.
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

/** @throws DomainError CONFLICT where the task's preview is not shown any more */
export async function requirePreview(
  { deployments }: Needs<'deployments'>,
  taskId: string,
): Promise<void> {
  const preview = await deployments.preview(taskId);
  if (!preview?.isShown)
    throw new DomainError('CONFLICT', 'Preview is gone: it was deleted or has expired');
}

/**
 * @param holder the task under whose ref the result is found
 * @throws DomainError CONFLICT where the result is not kept any more
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
 * @throws DomainError NOT_FOUND, CONFLICT while the task runs: it could still make one
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
