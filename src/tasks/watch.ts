import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskEvent, TaskView } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Tasks } from '../temporal/tasks/tasks.ts';

/** The last known state of a task: its view, and its events so far. */
export interface Told {
  view: TaskView;
  events: TaskEvent[];
}

/** A watched task, for one listener. */
export interface WatchedTask {
  latest(): Told;
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

interface Watcher {
  listeners: number;
  /** Resolves once the task was read for the first time. */
  first: Promise<void>;
  latest: Told | undefined;
  ended: boolean;
  /** Emits `tick` after each poll. */
  ticks: EventEmitter;
}

/**
 * Watches tasks. Each task is polled once every `every` milliseconds, for all its listeners
 * together. A listener fetches the latest state when it is ready, so nothing is buffered for a slow
 * one.
 */
export function createTaskWatchers(
  { follow }: Pick<Tasks, 'follow'>,
  { every = EVERY_MS } = {},
): TaskWatchers {
  const watchers = new Map<string, Watcher>();
  const closing = new AbortController();

  function begin(key: string, ask: () => Promise<Told>): Watcher {
    const watcher: Watcher = {
      listeners: 0,
      first: Promise.resolve(),
      latest: undefined,
      ended: false,
      ticks: new EventEmitter().setMaxListeners(0),
    };
    watchers.set(key, watcher);
    watcher.first = update(watcher, ask);
    const pause = () => delay(every, undefined, { signal: closing.signal, ref: false });
    void keepUp(watcher, ask, pause).finally(() => watchers.delete(key));
    return watcher;
  }

  return {
    async join(organizationId, taskId, signal) {
      if (closing.signal.aborted)
        throw new DomainError('UNAVAILABLE', 'The service is stopping', { retryable: true });
      const key = `${organizationId} ${taskId}`;
      const watcher = watchers.get(key) ?? begin(key, () => follow(organizationId, taskId));
      if (!signal.aborted) {
        watcher.listeners++;
        signal.addEventListener('abort', () => watcher.listeners--, { once: true });
      }
      await watcher.first;
      return watchedOf(watcher);
    },
    closing: closing.signal,
    size: () => watchers.size,
    close: () => closing.abort(),
  };
}

/** Polls until the task is finished, can't be read, or has no listeners left. */
async function keepUp(
  watcher: Watcher,
  ask: () => Promise<Told>,
  pause: () => Promise<void>,
): Promise<void> {
  try {
    await watcher.first;
    for (;;) {
      await pause();
      if (watcher.listeners === 0 || watcher.latest?.view.status !== 'running') return;
      await update(watcher, ask).catch(throwUnlessRetryable);
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
 * Polls a task. While its worker is away, Temporal tells the status but no events: keep the known
 * ones.
 */
async function update(watcher: Watcher, ask: () => Promise<Told>): Promise<void> {
  const { view, events } = await ask();
  const known = watcher.latest?.events ?? [];
  watcher.latest = { view, events: events.length < known.length ? known : events };
}

function throwUnlessRetryable(error: unknown): void {
  if (!(error instanceof DomainError) || !error.retryable) throw error;
}

/**
 * The listener's view of a task. If the state changed since the listener's last `latest()`,
 * `next()` returns at once.
 */
function watchedOf(watcher: Watcher): WatchedTask {
  let seen: Told | undefined;
  return {
    latest: () => (seen = watcher.latest!),
    async next(signal) {
      if (signal.aborted) return false;
      if (watcher.latest !== seen) return true;
      if (watcher.ended) return false;
      return once(watcher.ticks, 'tick', { signal }).then(
        () => true,
        () => false,
      );
    },
  };
}
