import type { NamedMaker } from '../contract/maker.ts';
import type { TaskDeliveries } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { makerOf } from './start.ts';

/**
 * Reads the deliveries of a task's callback, and who requested each redelivery.
 * @throws DomainError NOT_FOUND
 */
export async function readDeliveries(
  { organizationId }: Caller,
  { tasks, makers }: Needs<'tasks' | 'makers'>,
  taskId: string,
): Promise<{ found: TaskDeliveries; askers: (NamedMaker | null)[] }> {
  const found = await tasks.deliveries(organizationId, taskId);
  return {
    found,
    askers: await makers.named(found.deliveries.map(({ requestedBy = null }) => requestedBy)),
  };
}

/**
 * Delivers a task's callback again.
 * @throws DomainError NOT_FOUND, CONFLICT if the task has no callback to deliver
 */
export const redeliver = (caller: Caller, { tasks }: Needs<'tasks'>, taskId: string) =>
  tasks.redeliver(caller.organizationId, taskId, makerOf(caller));
