import { TASK_RUNNING, type TaskOutput } from '../contract/task.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';

type CompletedEnd = Extract<NonNullable<TaskRecord['finished']>, { status: 'completed' }>;

/**
 * The outcome of a completed task. Throws CONFLICT if the task runs or failed.
 * @param action the verb for the error's text: `there is nothing to publish`
 */
export function requireCompleted({ finished }: TaskRecord, action = 'publish'): CompletedEnd {
  if (!finished) throw taskConflict(TASK_RUNNING);
  if (finished.status === 'failed')
    throw taskConflict(`The task failed, so there is nothing to ${action}`);
  return finished;
}

/** The pages that a task created or modified. */
export const changedPagesOf = ({ pagesCreated, pagesModified }: TaskOutput) => [
  ...pagesCreated,
  ...pagesModified,
];

export const externalIdsBySlug = (output: TaskOutput) =>
  Object.fromEntries(
    changedPagesOf(output).flatMap(({ slug, externalId }) =>
      externalId === undefined ? [] : [[slug, externalId]],
    ),
  );

/** For `catch`: returns null for NOT_FOUND, and throws any other error. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}

export const foreignTaskError = (field: 'taskId' | 'baseTaskId') =>
  invalidInputError(`${field} must be the id of a task of the same site`);

/** The error for an action that the current state does not allow. */
export const taskConflict = (message: string) => new DomainError('CONFLICT', message);
