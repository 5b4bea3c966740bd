import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskEvent, TaskView } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskService } from '../temporal/tasks/taskService.ts';

/** The last known state of a task: its view, and its events so far. */
export interface TaskSnapshot {
  view: TaskView;
  events: TaskEvent[];
}

/** A watched task as one listener sees it, such as the event stream of a client. */
export interface WatchedTask {
  latest(): TaskSnapshot;
  /**
   * Waits until there may be something new.
   * @returns false if nothing more will come
   */
  next(signal: AbortSignal): Promise<boolean>;
}

export interface TaskWatchers {
  /**
   * Watches a task until the signal aborts.
   * @throws DomainError NOT_FOUND, UNAVAILABLE
   */
  join(organizationId: string, taskId: string, signal: AbortSignal): Promise<WatchedTask>;
  /** Aborted by `close`. */
  closing: AbortSignal;
  /** Number of watched tasks. */
  size(): number;
  close(): void;
}

const EVERY_MS = 2_000;

interface WatchedEntry {
  listeners: number;
  /** Resolves once the task was read for the first time. */
  first: Promise<void>;
  latest: TaskSnapshot | undefined;
  ended: boolean;
  /** Emits `tick` after each poll. */
  ticks: EventEmitter;
}

/**
 * Creates the watchers of tasks, for event streams. Each watched task is polled once every `every`
 * milliseconds, for all its listeners together. A listener fetches the latest state when it is
 * ready, so nothing is buffered for a slow one.
 */
export function createTaskWatchers(
  { follow }: Pick<TaskService, 'follow'>,
  { every: everyMs = EVERY_MS } = {},
): TaskWatchers {
  const watchers = new Map<string, WatchedEntry>();
  const closing = new AbortController();

  function beginWatching(taskKey: string, readSnapshot: () => Promise<TaskSnapshot>): WatchedEntry {
    const watcher: WatchedEntry = {
      listeners: 0,
      first: Promise.resolve(),
      latest: undefined,
      ended: false,
      ticks: new EventEmitter().setMaxListeners(0),
    };
    watchers.set(taskKey, watcher);
    watcher.first = pollOnce(watcher, readSnapshot);
    const waitForNextPoll = () => delay(everyMs, undefined, { signal: closing.signal, ref: false });
    void pollUntilEnded(watcher, readSnapshot, waitForNextPoll).finally(() =>
      watchers.delete(taskKey),
    );
    return watcher;
  }

  return {
    async join(organizationId, taskId, signal) {
      if (closing.signal.aborted)
        throw new DomainError('UNAVAILABLE', 'The service is stopping', { retryable: true });
      const taskKey = `${organizationId} ${taskId}`;
      const watcher =
        watchers.get(taskKey) ?? beginWatching(taskKey, () => follow(organizationId, taskId));
      if (!signal.aborted) {
        watcher.listeners++;
        signal.addEventListener('abort', () => watcher.listeners--, { once: true });
      }
      await watcher.first;
      return watchedTaskOf(watcher);
    },
    closing: closing.signal,
    size: () => watchers.size,
    close: () => closing.abort(),
  };
}

/** Polls until the task is finished, can't be read, or has no listeners left. */
async function pollUntilEnded(
  watcher: WatchedEntry,
  readSnapshot: () => Promise<TaskSnapshot>,
  waitForNextPoll: () => Promise<void>,
): Promise<void> {
  try {
    await watcher.first;
    for (;;) {
      await waitForNextPoll();
      if (watcher.listeners === 0 || watcher.latest?.view.status !== 'running') return;
      await pollOnce(watcher, readSnapshot).catch(throwUnlessRetryable);
      watcher.ticks.emit('tick');
    }
  } catch {
    // A first failure reaches the listeners through `first`. After a later one their streams end,
    // and they reconnect.
  } finally {
    watcher.ended = true;
    watcher.ticks.emit('tick');
  }
}

/**
 * Polls a task. While no worker answers, Temporal returns the status without events. The known
 * events are then kept.
 */
async function pollOnce(
  watcher: WatchedEntry,
  readSnapshot: () => Promise<TaskSnapshot>,
): Promise<void> {
  const { view, events } = await readSnapshot();
  const knownEvents = watcher.latest?.events ?? [];
  watcher.latest = { view, events: events.length < knownEvents.length ? knownEvents : events };
}

function throwUnlessRetryable(error: unknown): void {
  if (!(error instanceof DomainError) || !error.retryable) throw error;
}

/**
 * The listener's view of a task. If the state changed since the listener's last `latest()`,
 * `next()` returns at once.
 */
function watchedTaskOf(watcher: WatchedEntry): WatchedTask {
  let seenSnapshot: TaskSnapshot | undefined;
  return {
    latest: () => (seenSnapshot = watcher.latest!),
    async next(signal) {
      if (signal.aborted) return false;
      if (watcher.latest !== seenSnapshot) return true;
      if (watcher.ended) return false;
      return once(watcher.ticks, 'tick', { signal }).then(
        () => true,
        () => false,
      );
    },
  };
}
