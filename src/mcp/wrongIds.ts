import { isTaskId } from '../contract/task.ts';
import { hasCode, notFound } from '../errors.ts';
import { callerOf } from '../api/context.ts';
import { uuid } from '../api/routes/tasks.schema.ts';
import type { Place } from './tool.ts';

/** The ids among a call's arguments, of any type. */
export interface NamedIds {
  siteId?: unknown;
  taskId?: unknown;
  baseTaskId?: unknown;
}

/**
 * Refuses what is no id of a site, such as its name.
 * @throws DomainError NOT_FOUND that says where the ids are
 */
export function refuseSiteName({ siteId }: NamedIds): void {
  if (typeof siteId === 'string' && !uuid.test(siteId))
    throw notFound('Site not found: siteId is the id of a site, not its name. list_sites has it');
}

/**
 * Says of an id that is a batch's that it is not a task's.
 * @throws DomainError NOT_FOUND, or the error as it is
 */
export async function explain(
  error: unknown,
  { ctx, parts }: Place,
  { taskId, baseTaskId }: NamedIds,
): Promise<never> {
  if (!hasCode(error, 'NOT_FOUND')) throw error;
  const { organizationId } = callerOf(ctx);
  for (const id of [taskId, baseTaskId]) {
    if (typeof id !== 'string' || !isTaskId(id)) continue;
    const batch = await parts.batches.find(organizationId, id).catch(() => null);
    if (batch) throw notFound('This is the id of a batch, not of a task. No tool reads batches');
  }
  throw error;
}
