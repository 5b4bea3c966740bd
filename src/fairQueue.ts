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

interface Options {
  what: string;
  places: number;
  each?: number;
  beside?: number;
  spare?: number;
}

/**
 * A number of places that callers take in turns: one caller after the other, and each one's work in
 * its order. So whoever asks for much delays the others by no more than what runs already.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places how much work runs at the same time
 * @param options.each how much of it may be one caller's; default all
 * @param options.beside how much of it may be one caller's while others wait; default the same
 * @param options.spare places that only callers take who have none; default 0
 */
export function createTurns({ what, ...options }: Options): Turns {
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
  /** In the order of the callers' next turns. */
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

  /** Whoever begins may have been what others made way for: so each time, all are asked again. */
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
