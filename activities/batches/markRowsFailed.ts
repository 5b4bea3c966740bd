import type { ActivityDependencies, TaskRef } from '../deps.ts';

/** Fails rows whose steps failed again and again. Repeatable. */
export function createMarkRowsFailed({ batches }: Pick<ActivityDependencies, 'batches'>) {
  return async ({ task, rows }: { task: TaskRef; rows: { number: number; error: string }[] }) =>
    batches.fail(task.taskId, rows);
}
