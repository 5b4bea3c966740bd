import { waitFor } from './waiting.ts';

export interface FairQueue {
  /**
   * Runs work as soon as its caller gets a place.
   * @param key identifies the caller
   * @param signal aborts the wait with its reason
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Takes one place away from a caller for some milliseconds. Other callers can use it. */
  pause(key: string, ms: number): void;
}

interface Options {
  what: string;
  places: number;
  each?: number;
  leavesLast?: (key: string) => boolean;
}

/**
 * Limits concurrent work and shares the places among its callers. A caller that is alone may use
 * all places. The next free place goes to the waiting caller that holds the fewest; among equals,
 * to the one that was served least recently. The work of one caller keeps its order. However much
 * one caller asks for, others wait only for work that already runs.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places maximum number of concurrent works
 * @param options.each maximum for one caller; default `places`
 * @param options.leavesLast whether a caller that holds a place must leave the last free one to
 *   callers that hold none, because its work may take long; default: no caller must
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

function createPlaces({ places, each = places, leavesLast = () => false }: Omit<Options, 'what'>) {
  /** Waiting work by caller. The first caller in the map was served least recently. */
  const waiting = new Map<string, Set<() => void>>();
  const running = new Map<string, number>();
  let free = places;

  const held = (key: string) => running.get(key) ?? 0;

  function mayStart(key: string): boolean {
    const own = held(key);
    return own < each && (own === 0 || free > 1 || !leavesLast(key));
  }

  /** The caller whose work starts next, if any may start. */
  function next(): string | undefined {
    let fewest: string | undefined;
    for (const key of free > 0 ? waiting.keys() : [])
      if (mayStart(key) && (fewest === undefined || held(key) < held(fewest))) fewest = key;
    return fewest;
  }

  /** Starts as much work as possible. Each start changes who holds the fewest places. */
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
    const now = held(key) + more;
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
