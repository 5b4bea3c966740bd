import type { TaskOutput } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';

type Completed = Extract<NonNullable<TaskRecord['finished']>, { status: 'completed' }>;

/**
 * The end of a completed task. Throws CONFLICT if the task runs or failed.
 * @param what the action that is refused then, for the error's text
 */
export function completed({ finished }: TaskRecord, what = 'publish'): Completed {
  if (!finished) throw conflict('Task is still running');
  if (finished.status === 'failed') throw conflict(`Task failed: there is nothing to ${what}`);
  return finished;
}

export const pagesOf = ({ pagesCreated, pagesModified }: TaskOutput) => [
  ...pagesCreated,
  ...pagesModified,
];

export const externalIdsOf = (output: TaskOutput) =>
  Object.fromEntries(
    pagesOf(output).flatMap(({ slug, externalId }) =>
      externalId === undefined ? [] : [[slug, externalId]],
    ),
  );

/** For `catch`: returns null for NOT_FOUND, and throws any other error. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** The error for an action that the current state does not allow. */
export const conflict = (message: string) => new DomainError('CONFLICT', message);
