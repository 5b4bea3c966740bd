import { DomainError } from '../src/errors.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

interface ReleasePermitInput {
  task: TaskRef;
}

/**
 * Releases a task's permit while the task waits for people. A permit is the right to run: it counts
 * against its organization's limit. The database calls it a lease (`task_leases`). Repeatable,
 * until the task acquires a permit again.
 */
export const createReleasePermit =
  ({ leases }: Pick<ActivityDependencies, 'leases'>) =>
  ({ task }: ReleasePermitInput): Promise<void> =>
    leases.release(task.taskId);

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
  ({ leases }: Pick<ActivityDependencies, 'leases'>) =>
  async ({ task, after }: AcquirePermitInput): Promise<void> => {
    if (await leases.reacquire(task, new Date(after))) return;
    throw new DomainError(
      'TOO_MANY_IN_FLIGHT',
      'The organization has reached its limit of running tasks. The task waits for a permit',
      {
        retryable: true,
      },
    );
  };
