interface UnderWay<T> {
  result: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/**
 * Work that is done once for all who ask for it at the same time. It goes on for as long as one of them waits.
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

  return async (key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
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
