import { LRUCache } from 'lru-cache';

interface UnderWay<T> {
  result: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/**
 * Work that is done once for all who ask for it at the same time. It goes on for as long as one of
 * them waits.
 * @returns asks for the work of a key; `signal` ends the waiting with its reason
 */
export function createShared<T>() {
  const underWay = new Map<string, UnderWay<T>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController();
    const result = work(stop.signal).finally(() => forget(key, shared));
    result.catch(() => undefined); // whoever waits is told
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
 * Work that is done once for all who ask for it at the same time, as in `createShared`. What came
 * out last is kept.
 * @param options.maxSize of all that is kept, by `sizeOf`
 */
export function createKept<T extends object>({
  maxSize,
  sizeOf,
}: {
  maxSize: number;
  sizeOf: (made: T) => number;
}) {
  const kept = new LRUCache<string, T>({ maxSize, sizeCalculation: sizeOf });
  const once = createShared<T>();
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
