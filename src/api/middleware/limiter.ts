import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Counts requests by key in time windows, in a store that all processes share. Two ways:
 * `createLimiter` counts each request in the store, and `createLateLimiter` counts most requests in
 * this process and adds them to the store within a second.
 */
export interface RequestLimiter {
  /** Maximum number of requests in a window. */
  points: number;
  /**
   * Counts one request.
   * @returns the number of requests in this window, including this one, and the milliseconds until
   *   its end
   */
  count(key: string): Promise<{ counted: number; msLeft: number }>;
}

/** Coalesced requests: those of one key that one query to the store counts together. */
interface CoalescedRequests {
  size: number;
  last: Promise<{ counted: number; msLeft: number }>;
}

/**
 * Counts each request in the store before it answers. While a query for a key runs, further
 * requests of that key are collected, and the next query counts them together. Each request still
 * gets its own number. Fails only if the store fails and has no fallback.
 */
export function createLimiter(store: RateLimiterAbstract): RequestLimiter {
  const runningQueries = new Map<string, Promise<unknown>>();
  const gatheringCalls = new Map<string, CoalescedRequests>();

  async function ask(key: string, coalescedCalls: CoalescedRequests) {
    await runningQueries.get(key);
    gatheringCalls.delete(key);
    const countedAnswer = consumePoints(store, key, coalescedCalls.size);
    const settled = countedAnswer.then(
      () => undefined,
      () => undefined,
    );
    runningQueries.set(key, settled);
    return countedAnswer.finally(
      () => runningQueries.get(key) === settled && runningQueries.delete(key),
    );
  }

  return {
    points: store.points,
    async count(key) {
      let coalescedCalls = gatheringCalls.get(key);
      if (!coalescedCalls) {
        coalescedCalls = { size: 0, last: Promise.resolve({ counted: 0, msLeft: 0 }) };
        gatheringCalls.set(key, coalescedCalls);
        coalescedCalls.last = ask(key, coalescedCalls);
      }
      const ownPosition = ++coalescedCalls.size;
      const { counted, msLeft } = await coalescedCalls.last;
      return { counted: counted - coalescedCalls.size + ownPosition, msLeft };
    },
  };
}

async function consumePoints(store: RateLimiterAbstract, key: string, requests: number) {
  const storeAnswer = await store.consume(key, requests).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  return { counted: storeAnswer.consumedPoints, msLeft: storeAnswer.msBeforeNext };
}

/** Milliseconds within which requests that were counted without the store are added to it. */
const STORED_WITHIN_MS = 1_000;
/** Maximum number of keys that are counted at the same time. */
const MOST_KEYS = 10_000;
/** For limits below this number of requests, the store decides about each request. */
const FEW_POINTS = 100;
/** The share of the remaining requests that a process may count before it updates the store. */
const LATER_PART = 1 / 10;

/** A key's window as a process knows it. Times are in milliseconds of `performance.now()`. */
interface CountedWindow {
  /** The number of requests that this process counted, and how many of them the store has. */
  own: number;
  stored: number;
  /** The number of requests of other processes, as of the store's last response. */
  others: number;
  endsAt: number;
  /** The query to the store that is running. */
  storing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Counts most requests without a query, and adds them to the store within a second. So requests do
 * not wait for the database that all processes share. However many requests a key sends, they cost
 * the database one query a second.
 *
 * The first request of a window queries the store. After that, a process may count a tenth of the
 * remaining requests before it updates the store. Near the limit, and for small limits, each
 * request waits for the store, as with `createLimiter`. No request within the limit is refused, and
 * each process lets through at most a tenth too many. Requests over the limit are refused without a
 * query.
 */
export function createLateLimiter(
  store: RateLimiterAbstract,
  currentTime = () => performance.now(),
): RequestLimiter {
  const { points } = store;
  const windows = new LRUCache<string, CountedWindow>({ max: MOST_KEYS });

  function windowOf(key: string): CountedWindow {
    const knownWindow = windows.get(key);
    if (knownWindow && currentTime() < knownWindow.endsAt) return knownWindow;
    const countedWindow: CountedWindow = {
      own: 0,
      stored: 0,
      others: 0,
      endsAt: Infinity,
      storing: undefined,
      timer: undefined,
    };
    windows.set(key, countedWindow);
    return countedWindow;
  }

  /** Adds to the store the requests that it does not have yet. */
  async function tellStore(key: string, countedWindow: CountedWindow): Promise<void> {
    clearTimeout(countedWindow.timer);
    countedWindow.timer = undefined;
    const requests = countedWindow.own - countedWindow.stored;
    const { counted, msLeft } = await consumePoints(store, key, requests);
    countedWindow.stored += requests;
    countedWindow.others = counted - countedWindow.stored;
    countedWindow.endsAt = currentTime() + msLeft;
  }

  const storeOnce = (key: string, countedWindow: CountedWindow): Promise<void> =>
    (countedWindow.storing ??= tellStore(key, countedWindow).finally(
      () => (countedWindow.storing = undefined),
    ));

  function storeLater(key: string, countedWindow: CountedWindow): void {
    const storeInBackground = () =>
      void storeOnce(key, countedWindow).catch(() => windows.delete(key));
    countedWindow.timer ??= setTimeout(storeInBackground, STORED_WITHIN_MS).unref();
  }

  /** How many requests this process may count before it has to update the store. */
  function mayWait({ stored, others, endsAt }: CountedWindow): number {
    if (points < FEW_POINTS || endsAt === Infinity) return 0;
    return Math.max(0, (points - stored - others) * LATER_PART);
  }

  const msLeft = ({ endsAt }: CountedWindow) => Math.max(0, endsAt - currentTime());

  return {
    points,
    async count(key) {
      const countedWindow = windowOf(key);
      const isOver = countedWindow.own + countedWindow.others >= points;
      if (isOver && countedWindow.endsAt !== Infinity)
        return { counted: points + 1, msLeft: msLeft(countedWindow) };
      const ownPosition = ++countedWindow.own;
      try {
        while (ownPosition - countedWindow.stored > mayWait(countedWindow))
          await storeOnce(key, countedWindow);
      } catch (error) {
        windows.delete(key);
        throw error;
      }
      if (ownPosition > countedWindow.stored) storeLater(key, countedWindow);
      return { counted: countedWindow.others + ownPosition, msLeft: msLeft(countedWindow) };
    },
  };
}
