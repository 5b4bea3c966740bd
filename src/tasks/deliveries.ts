import type { NamedMaker } from '../contract/maker.ts';
import type { Makers } from '../organizations/makers.ts';
import type { TaskDeliveries, Tasks } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { makerOf } from './start.ts';

interface DeliveryDeps {
  tasks: Pick<Tasks, 'deliveries' | 'redeliver'>;
  makers: Makers;
}

/**
 * How a task's callback was delivered, and who asked for each further delivery. @throws DomainError
 * NOT_FOUND
 */
export async function readDeliveries(
  { organizationId }: Caller,
  { tasks, makers }: DeliveryDeps,
  taskId: string,
): Promise<{ found: TaskDeliveries; askers: (NamedMaker | null)[] }> {
  const found = await tasks.deliveries(organizationId, taskId);
  return {
    found,
    askers: await makers.named(found.deliveries.map(({ requestedBy = null }) => requestedBy)),
  };
}

/**
 * Delivers a task's callback again. @throws DomainError NOT_FOUND, CONFLICT where there is none to
 * deliver
 */
export const redeliver = (caller: Caller, { tasks }: Pick<DeliveryDeps, 'tasks'>, taskId: string) =>
  tasks.redeliver(caller.organizationId, taskId, makerOf(caller));
