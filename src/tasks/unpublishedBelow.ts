import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Needs } from './ports.ts';
import { nullIfNotFound } from './results.ts';

const MOST_TASKS = 50;

/**
 * The unpublished tasks that a task builds on, nearest first. They go live with it. Tasks that are
 * no longer kept are left out.
 * @param onto the task whose result it builds on
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
