import type { EndpointFlag } from '../src/contract/events.ts';
import { DomainError } from '../src/errors.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { endpointFlag } from './recordEvent.ts';

/** A task may wait for days, so both activities look again for endpoints that get its events. */
type PermitDependencies = Pick<ActivityDependencies, 'leases' | 'eventLog'>;

interface ReleasePermitInput {
  task: TaskRef;
}

/**
 * Releases a task's permit while the task waits for people. A permit is the right to run: it counts
 * against its organization's limit. The database calls it a lease (`task_leases`). Repeatable,
 * until the task acquires a permit again.
 */
export const createReleasePermit =
  (deps: PermitDependencies) =>
  async ({ task }: ReleasePermitInput): Promise<EndpointFlag | undefined> => {
    await deps.leases.release(task.taskId);
    return endpointFlag(deps, task);
  };

interface AcquirePermitInput {
  task: TaskRef;
  /**
   * When the task's wait for people ended, ISO 8601. The longest waiting task gets a permit first.
   */
  after: string;
}

/**
 * Acquires a permit for a task that has waited for people. Repeatable: a task has at most one
 * permit. Throws TOO_MANY_IN_FLIGHT while the organization is at its limit; Temporal then repeats
 * the activity.
 */
export const createAcquirePermit =
  (deps: PermitDependencies) =>
  async ({ task, after }: AcquirePermitInput): Promise<EndpointFlag | undefined> => {
    if (await deps.leases.reacquire(task, new Date(after))) return endpointFlag(deps, task);
    throw new DomainError(
      'TOO_MANY_IN_FLIGHT',
      'The organization has reached its limit of running tasks. The task waits for a permit',
      {
        retryable: true,
      },
    );
  };
