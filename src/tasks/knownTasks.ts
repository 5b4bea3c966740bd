import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors.ts';
import type { TaskRecord, TaskService } from '../temporal/tasks/taskService.ts';
import type { KnownTasks } from './ports.ts';

/**
 * Cache of ids of tasks that Temporal no longer keeps; they are not looked up again for 10 minutes.
 */
const GONE = { max: 10_000, ttl: 10 * 60_000 };

/** Maximum number of concurrent lookups. */
const AT_ONCE = 20;

/** Creates the lookup of tasks by their ids, for lists that show their titles. See `KnownTasks`. */
export function createKnownTasks(tasks: Pick<TaskService, 'find'>): KnownTasks {
  const goneTasks = new LRUCache<string, true>(GONE);

  async function findTask(organizationId: string, taskId: string): Promise<TaskRecord | null> {
    const taskKey = `${organizationId} ${taskId}`;
    if (goneTasks.has(taskKey)) return null;
    try {
      return await tasks.find(organizationId, taskId);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
      goneTasks.set(taskKey, true);
      return null;
    }
  }

  return async (organizationId, taskIds) => {
    const wantedIds = [...new Set(taskIds)];
    const knownTasks = new Map<string, TaskRecord>();
    const findKnown = async (taskId: string) => {
      const task = await findTask(organizationId, taskId);
      if (task) knownTasks.set(taskId, task);
    };
    try {
      for (let offset = 0; offset < wantedIds.length; offset += AT_ONCE)
        await Promise.all(
          wantedIds.slice(offset, offset + AT_ONCE).map((taskId) => findKnown(taskId)),
        );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error; // lists are shown even if Temporal is down
    }
    return knownTasks;
  };
}
