import type { ActivityDependencies, TaskRef } from '../deps.ts';

/**
 * Marks rows as failed after the last attempt of their activity. Repeatable: it writes the same.
 */
export function createMarkRowsFailed({ batches }: Pick<ActivityDependencies, 'batches'>) {
  return async ({ task, rows }: { task: TaskRef; rows: { number: number; error: string }[] }) =>
    batches.fail(task.taskId, rows);
}
