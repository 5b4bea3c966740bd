import type { TaskOutput } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';

type Completed = Extract<NonNullable<TaskRecord['finished']>, { status: 'completed' }>;

/**
 * The end of a completed task. Throws CONFLICT for one that runs or failed.
 * @param what can't be done with it then, for the error
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

/** For what may be gone: null in place of a NOT_FOUND. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** Refuses what the state of a task does not allow. */
export const conflict = (message: string) => new DomainError('CONFLICT', message);
