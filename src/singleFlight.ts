import { LRUCache } from 'lru-cache';

interface UnderWay<T> {
  result: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/**
 * Shares work between callers that ask for the same key at the same time. The work is aborted when
 * no caller waits for it any more.
 * @returns a function that runs or joins the work of a key. Its `signal` ends only that caller's
 *   wait, with its reason.
 */
export function createSingleFlight<T>() {
  const underWay = new Map<string, UnderWay<T>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController();
    const result = work(stop.signal).finally(() => forget(key, shared));
    result.catch(() => undefined); // each waiting caller gets the error itself
    const shared = { result, waiting: 0, stop };
    underWay.set(key, shared);
    return shared;
  }

  const forget = (key: string, shared: UnderWay<T>) => {
    if (underWay.get(key) === shared) underWay.delete(key);
  };

  return async (
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const shared = underWay.get(key) ?? begin(key, work);
    shared.waiting++;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const leave = () => {
      reject(signal?.reason as Error);
      if (--shared.waiting > 0) return;
      forget(key, shared);
      shared.stop.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([shared.result, gone]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };
}

/**
 * A cache by key. Callers that ask for the same missing value at the same time share the work of
 * making it.
 * @param options.maxSize maximum sum of `sizeOf` over all values
 */
export function createSharedCache<T extends object>({
  maxSize,
  sizeOf,
}: {
  maxSize: number;
  sizeOf: (made: T) => number;
}) {
  const kept = new LRUCache<string, T>({ maxSize, sizeCalculation: sizeOf });
  const once = createSingleFlight<T>();
  return {
    get: (key: string): T | undefined => kept.get(key),
    keep: (key: string, made: T) => void kept.set(key, made),
    async read(
      key: string,
      work: (signal: AbortSignal) => Promise<T>,
      signal?: AbortSignal,
    ): Promise<T> {
      const makeAndKeep = async (end: AbortSignal) => {
        const made = await work(end);
        kept.set(key, made);
        return made;
      };
      return kept.get(key) ?? once(key, makeAndKeep, signal);
    },
  };
}
