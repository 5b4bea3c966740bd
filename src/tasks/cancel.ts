import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';

/**
 * Requests the cancellation of a running task.
 * @throws DomainError NOT_FOUND, CONFLICT if it is publishing or finished, UNAVAILABLE
 */
export const cancel = ({ organizationId }: Caller, { tasks }: Needs<'tasks'>, taskId: string) =>
  tasks.cancel(organizationId, taskId);
