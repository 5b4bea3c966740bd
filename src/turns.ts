import { waitFor } from './waiting.ts';

export interface Turns {
  /**
   * Runs work when it is its turn.
   * @param key whose work it is
   * @param signal ends the waiting with its reason
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For some milliseconds, a caller may have one place less. The others may have that place. */
  pause(key: string, ms: number): void;
}

/**
 * A number of places that callers take in turns: one caller after the other, and each one's work in its order. So
 * whoever asks for much delays the others by no more than what runs already.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places how much work runs at the same time
 * @param options.each how much of it may be one caller's; default all
 */
export function createTurns({ what, places, each = places }: { what: string; places: number; each?: number }): Turns {
  /** In the order of the callers' next turns. */
  const waiting = new Map<string, Set<() => void>>();
  const running = new Map<string, number>();
  let free = places;

  const isNext = (key: string) => free > 0 && (running.get(key) ?? 0) < each;

  function begin(): void {
    for (const [key, queue] of waiting) {
      if (!isNext(key)) continue;
      const [start] = queue;
      waiting.delete(key);
      if (start && queue.delete(start) && queue.size > 0) waiting.set(key, queue);
      free--;
      count(key, 1);
      start?.();
    }
  }

  function count(key: string, more: 1 | -1): void {
    const now = (running.get(key) ?? 0) + more;
    if (now > 0) running.set(key, now);
    else running.delete(key);
  }

  function end(key: string): void {
    count(key, -1);
    free++;
    begin();
  }

  async function turnOf(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(key) ?? new Set();
    waiting.set(key, queue.add(resolve));
    const leave = () => {
      if (queue.delete(resolve) && queue.size === 0) waiting.delete(key);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    begin();
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  return {
    async run(key, work, signal) {
      await waitFor(what, turnOf(key, signal));
      try {
        return await work();
      } finally {
        end(key);
      }
    },
    pause(key, ms) {
      count(key, 1);
      const over = () => {
        count(key, -1);
        begin();
      };
      setTimeout(over, ms).unref();
    },
  };
}
