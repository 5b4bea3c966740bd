import { waitFor } from './waiting.ts';

export interface FairQueue {
  /**
   * Runs work when a place is free for its caller.
   * @param key the caller
   * @param signal ends the waiting with its reason
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For some milliseconds, a caller may use one place less. Others may use it. */
  pause(key: string, ms: number): void;
}

interface Options {
  what: string;
  places: number;
  each?: number;
  beside?: number;
  spare?: number;
}

/**
 * Limits concurrent work, and serves its callers round-robin: each caller's work keeps its order. A
 * caller that asks for much delays the others by no more than the work that already runs.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places how much work runs at the same time
 * @param options.each how much of it one caller may have; default all
 * @param options.beside how much of it one caller may have while others wait; default `each`
 * @param options.spare places reserved for callers that have none; default 0
 */
export function createFairQueue({ what, ...options }: Options): FairQueue {
  const places = createPlaces(options);
  return {
    async run(key, work, signal) {
      await waitFor(what, places.take(key, signal));
      try {
        return await work();
      } finally {
        places.give(key);
      }
    },
    pause(key, ms) {
      places.count(key, 1);
      const over = () => {
        places.count(key, -1);
        places.begin();
      };
      setTimeout(over, ms).unref();
    },
  };
}

function createPlaces({ places, each = places, beside = each, spare = 0 }: Omit<Options, 'what'>) {
  /** The waiting work of each caller. The first caller is served next. */
  const waiting = new Map<string, Set<() => void>>();
  const running = new Map<string, number>();
  let free = places;

  function isNext(key: string): boolean {
    const own = running.get(key) ?? 0;
    return free > (own === 0 ? 0 : spare) && own < (waiting.size > 1 ? beside : each);
  }

  function next(): string | undefined {
    if (free > 0) for (const key of waiting.keys()) if (isNext(key)) return key;
    return undefined;
  }

  /**
   * Each start may change who is next (`beside` counts the waiting callers), so all are checked
   * again.
   */
  function begin(): void {
    for (let key = next(); key !== undefined; key = next()) start(key, waiting.get(key)!);
  }

  function start(key: string, queue: Set<() => void>): void {
    const [first] = queue;
    queue.delete(first!);
    waiting.delete(key);
    if (queue.size > 0) waiting.set(key, queue);
    free--;
    count(key, 1);
    first!();
  }

  function count(key: string, more: 1 | -1): void {
    const now = (running.get(key) ?? 0) + more;
    if (now > 0) running.set(key, now);
    else running.delete(key);
  }

  function give(key: string): void {
    count(key, -1);
    free++;
    begin();
  }

  async function take(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(key) ?? new Set();
    waiting.set(key, queue.add(resolve));
    const leave = () => {
      if (queue.delete(resolve) && queue.size === 0) waiting.delete(key);
      reject(signal?.reason as Error);
      begin();
    };
    signal?.addEventListener('abort', leave, { once: true });
    begin();
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  return { take, give, count, begin };
}
