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
  beside?: number;
  spare?: number;
}

/**
 * Limits concurrent work and serves its callers round-robin. The work of one caller keeps its
 * order. However much one caller asks for, others wait only for work that already runs.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places maximum number of concurrent works
 * @param options.each maximum for one caller; default `places`
 * @param options.beside maximum for one caller while several callers wait; default `each`
 * @param options.spare number of places reserved for callers that have none; default 0
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
  /** Waiting work by caller. The first caller in the map is served next. */
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
   * Starts as much work as possible. Starting one may change which caller is next (`beside` depends
   * on the waiting callers), so all are checked again each time.
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
