import { DomainError } from '../src/errors.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

interface LeavePlace {
  task: TaskRef;
}

/** Gives a task's place in flight back while it asks people. Repeatable while it asks. */
export const createLeavePlace =
  ({ leases }: Pick<ActivityDeps, 'leases'>) =>
  ({ task }: LeavePlace): Promise<void> =>
    leases.giveBack(task.taskId);

interface TakePlace {
  task: TaskRef;
  /** When its question ended, ISO 8601: the order of the tasks that wait for a place. */
  after: string;
}

/**
 * Takes a place in flight again for a task that has asked people. Repeatable: a task has one place.
 * Throws TOO_MANY_IN_FLIGHT as long as its organization or site has none for it: Temporal repeats
 * it.
 */
export const createTakePlace =
  ({ leases }: Pick<ActivityDeps, 'leases'>) =>
  async ({ task, after }: TakePlace): Promise<void> => {
    if (await leases.takeAgain(task, new Date(after))) return;
    throw new DomainError('TOO_MANY_IN_FLIGHT', 'The task waits for a place in flight', {
      retryable: true,
    });
  };
