import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';

/**
 * Asks a running task to end.
 * @throws DomainError NOT_FOUND, CONFLICT once it publishes or is finished, UNAVAILABLE
 */
export const cancel = ({ organizationId }: Caller, { tasks }: Needs<'tasks'>, taskId: string) =>
  tasks.cancel(organizationId, taskId);
