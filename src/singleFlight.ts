import { LRUCache } from 'lru-cache';

/** A flight: work in progress on a key, with the number of callers that wait for it. */
interface FlightInProgress<T> {
  result: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/**
 * Shares work between callers that ask for the same key at the same time: only the first one starts
 * the work, and all get its result. The work is aborted when no caller waits for it any more.
 * @returns a function that runs or joins the work of a key. Its `signal` ends only that caller's
 *   wait, with its reason.
 */
export function createSingleFlight<T>() {
  const openFlights = new Map<string, FlightInProgress<T>>();

  function beginFlight(
    flightKey: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): FlightInProgress<T> {
    const stop = new AbortController();
    const result = work(stop.signal).finally(() => forgetFlight(flightKey, flight));
    result.catch(() => undefined); // each waiting caller gets the error itself
    const flight = { result, waiting: 0, stop };
    openFlights.set(flightKey, flight);
    return flight;
  }

  const forgetFlight = (flightKey: string, flight: FlightInProgress<T>) => {
    if (openFlights.get(flightKey) === flight) openFlights.delete(flightKey);
  };

  return async (
    flightKey: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const flight = openFlights.get(flightKey) ?? beginFlight(flightKey, work);
    flight.waiting++;
    const { promise: callerGone, reject } = Promise.withResolvers<never>();
    const leaveFlight = () => {
      reject(signal?.reason as Error);
      if (--flight.waiting > 0) return;
      forgetFlight(flightKey, flight);
      flight.stop.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leaveFlight, { once: true });
    try {
      return await Promise.race([flight.result, callerGone]);
    } finally {
      signal?.removeEventListener('abort', leaveFlight);
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
  sizeOf: (newValue: T) => number;
}) {
  const cachedValues = new LRUCache<string, T>({ maxSize, sizeCalculation: sizeOf });
  const shareFlight = createSingleFlight<T>();
  return {
    get: (flightKey: string): T | undefined => cachedValues.get(flightKey),
    keep: (flightKey: string, newValue: T) => void cachedValues.set(flightKey, newValue),
    async read(
      flightKey: string,
      work: (signal: AbortSignal) => Promise<T>,
      signal?: AbortSignal,
    ): Promise<T> {
      const makeAndCache = async (flightSignal: AbortSignal) => {
        const newValue = await work(flightSignal);
        cachedValues.set(flightKey, newValue);
        return newValue;
      };
      return cachedValues.get(flightKey) ?? shareFlight(flightKey, makeAndCache, signal);
    },
  };
}
