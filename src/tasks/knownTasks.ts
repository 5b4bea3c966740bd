import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors.ts';
import type { TaskRecord, Tasks } from '../temporal/tasks/tasks.ts';
import type { KnownTasks } from './ports.ts';

/**
 * Cache of ids of tasks that Temporal no longer keeps; they are not looked up again for 10 minutes.
 */
const GONE = { max: 10_000, ttl: 10 * 60_000 };

/** Maximum number of concurrent lookups. */
const AT_ONCE = 20;

export function createKnownTasks(tasks: Pick<Tasks, 'find'>): KnownTasks {
  const gone = new LRUCache<string, true>(GONE);

  async function find(organizationId: string, taskId: string): Promise<TaskRecord | null> {
    const key = `${organizationId} ${taskId}`;
    if (gone.has(key)) return null;
    try {
      return await tasks.find(organizationId, taskId);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
      gone.set(key, true);
      return null;
    }
  }

  return async (organizationId, taskIds) => {
    const wanted = [...new Set(taskIds)];
    const known = new Map<string, TaskRecord>();
    const learn = async (taskId: string) => {
      const task = await find(organizationId, taskId);
      if (task) known.set(taskId, task);
    };
    try {
      for (let at = 0; at < wanted.length; at += AT_ONCE)
        await Promise.all(wanted.slice(at, at + AT_ONCE).map((taskId) => learn(taskId)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error; // lists are shown even if Temporal is down
    }
    return known;
  };
}
