import { DomainError } from '../src/errors.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

interface ReleasePermitInput {
  task: TaskRef;
}

/**
 * Gives a task's place in flight back while it waits for people. Repeatable, until it takes one
 * again.
 */
export const createReleasePermit =
  ({ leases }: Pick<ActivityDependencies, 'leases'>) =>
  ({ task }: ReleasePermitInput): Promise<void> =>
    leases.giveBack(task.taskId);

interface AcquirePermitInput {
  task: TaskRef;
  /** When its wait ended, ISO 8601: the order of the tasks that wait for a place. */
  after: string;
}

/**
 * Takes a place in flight again for a task that has waited for people. Repeatable: a task has one
 * place. Throws TOO_MANY_IN_FLIGHT as long as its organization or site has none for it: Temporal
 * repeats it.
 */
export const createAcquirePermit =
  ({ leases }: Pick<ActivityDependencies, 'leases'>) =>
  async ({ task, after }: AcquirePermitInput): Promise<void> => {
    if (await leases.takeAgain(task, new Date(after))) return;
    throw new DomainError(
      'TOO_MANY_IN_FLIGHT',
      'The organization has reached its limit of running tasks. The task waits for a permit',
      {
        retryable: true,
      },
    );
  };
