import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Needs } from './ports.ts';
import { nullIfNotFound } from './results.ts';

const MOST_TASKS = 50;

/**
 * The tasks that a task is built on and that are not live: they go live with it. The nearest first.
 * Those that are not kept any more are left out.
 * @param onto the task on whose result it works
 */
export async function unpublishedBelow(
  { tasks, publications }: Needs<'tasks' | 'publications'>,
  organizationId: string,
  onto: string | undefined,
): Promise<TaskRecord[]> {
  const below: TaskRecord[] = [];
  for (let next = onto; next !== undefined && below.length < MOST_TASKS;) {
    if ((await publications.of([next])).has(next)) break;
    const task: TaskRecord | null = await tasks.find(organizationId, next).catch(nullIfNotFound);
    if (!task) break;
    below.push(task);
    next = task.onto;
  }
  return below;
}
