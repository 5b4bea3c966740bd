import { LRUCache } from 'lru-cache';
import { callUntilAborted } from '../abortableCall.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import type { WholeTask } from './taskRecord.ts';

const MOST = 200;
const OPEN_FOR_MS = 2_000;
/** Longer than Temporal's own polls. */
const POLL_MS = 60_000;
/** temporal.api.enums.v1.HistoryEventFilterType */
const CLOSE_EVENT = 2;

/** Running tasks, as they were described a moment ago. */
export interface OpenTaskCache {
  /** The task, if it is known to be still running. */
  get(taskId: string): WholeTask | undefined;
  /** Adds a task that was just described as running. */
  add(task: WholeTask): void;
  delete(taskId: string): void;
}

/**
 * Creates a cache of running tasks, for clients that read a task again and again. If a task is read
 * twice within 2 seconds, the cache starts to wait for the task's end, and returns the task as
 * running for 2 more seconds or until that end. Tasks with a callback are not cached, because a
 * receiver may read the task while the workflow is still open to deliver the callback.
 * @param waitForEnd resolves or rejects once the task may have ended, after that many milliseconds
 *   at the latest
 */
export function createOpenTaskCache(
  waitForEnd: (taskId: string, withinMs: number) => Promise<void>,
): OpenTaskCache {
  const tasks = new LRUCache<string, { task: WholeTask; isWatched: boolean }>({
    max: MOST,
    ttl: OPEN_FOR_MS,
  });

  return {
    get(taskId) {
      const cachedTask = tasks.get(taskId);
      return cachedTask?.isWatched ? cachedTask.task : undefined;
    },
    add(task) {
      const { taskId, hasCallback } = task;
      if (hasCallback) return;
      const cachedBefore = tasks.get(taskId);
      if (cachedBefore?.isWatched) return; // cached until its end, or for 2 s
      const cachedTask = { task, isWatched: cachedBefore !== undefined };
      tasks.set(taskId, cachedTask);
      if (!cachedTask.isWatched) return;
      const forgetTask = () => void (tasks.peek(taskId) === cachedTask && tasks.delete(taskId));
      waitForEnd(taskId, OPEN_FOR_MS).then(forgetTask, forgetTask);
    },
    delete: (taskId) => void tasks.delete(taskId),
  };
}

/**
 * Returns a function that waits for the end of a workflow, by Temporal's long poll for the event
 * that closes it. It rejects after the given milliseconds. A poll without an event ends after about
 * 20 s, and the next one continues with its token.
 * @param closing ends all polls; a poll's own signal ends it alone
 */
export function createEndWaiter(calls: TemporalCalls, closing: AbortSignal) {
  return async (workflowId: string, withinMs: number, ownSignal?: AbortSignal): Promise<void> => {
    const deadline = Date.now() + withinMs;
    const { client } = calls;
    const { namespace } = client.options;
    const request = {
      namespace,
      execution: { workflowId },
      waitNewEvent: true,
      historyEventFilterType: CLOSE_EVENT,
    };
    for (let nextPageToken: Uint8Array = Buffer.alloc(0); ;) {
      const pollHistory = () =>
        client.workflowService.getWorkflowExecutionHistory({ ...request, nextPageToken });
      const leftMs = Math.min(Math.max(0, deadline - Date.now()), POLL_MS);
      const response = await calls.within(leftMs, () =>
        callUntilAborted(client, [ownSignal, closing], pollHistory),
      );
      if (response.history?.events?.length || !response.nextPageToken?.length) return;
      nextPageToken = response.nextPageToken;
    }
  };
}
