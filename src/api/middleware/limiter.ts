import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts requests by key in time windows. */
export interface Limiter {
  /** Maximum number of requests in a window. */
  points: number;
  /**
   * Counts one request.
   * @returns the number of requests in this window, including this one, and the milliseconds until
   *   its end
   */
  count(key: string): Promise<{ counted: number; msLeft: number }>;
}

/** Requests of one key that are counted with one query. */
interface Group {
  size: number;
  last: Promise<{ counted: number; msLeft: number }>;
}

/**
 * Counts in a store. While a query for a key runs, further requests of that key are collected, and
 * the next query counts them together. Each request still gets its own number. Fails only if the
 * store fails and has no fallback.
 */
export function createLimiter(store: RateLimiterAbstract): Limiter {
  const asked = new Map<string, Promise<unknown>>();
  const gathering = new Map<string, Group>();

  async function ask(key: string, group: Group) {
    await asked.get(key);
    gathering.delete(key);
    const answer = consume(store, key, group.size);
    const over = answer.then(
      () => undefined,
      () => undefined,
    );
    asked.set(key, over);
    return answer.finally(() => asked.get(key) === over && asked.delete(key));
  }

  return {
    points: store.points,
    async count(key) {
      let group = gathering.get(key);
      if (!group) {
        group = { size: 0, last: Promise.resolve({ counted: 0, msLeft: 0 }) };
        gathering.set(key, group);
        group.last = ask(key, group);
      }
      const place = ++group.size;
      const { counted, msLeft } = await group.last;
      return { counted: counted - group.size + place, msLeft };
    },
  };
}

async function consume(store: RateLimiterAbstract, key: string, requests: number) {
  const answer = await store.consume(key, requests).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  return { counted: answer.consumedPoints, msLeft: answer.msBeforeNext };
}

/** Milliseconds after which the store hears of requests that were counted without it. */
const STORED_WITHIN_MS = 1_000;
/** Most keys that are counted at a time. */
const MOST_KEYS = 10_000;
/** Below so many points, the store decides about each request. */
const FEW_POINTS = 100;
/** The part of the points left of which a process tells the store later. */
const LATER_PART = 1 / 10;

/** A key's window as a process knows it. Times are in milliseconds of `performance.now()`. */
interface CountedWindow {
  /** Requests that this process counted, and how many of them the store knows. */
  own: number;
  stored: number;
  /** Requests of other processes, as of the store's last answer. */
  others: number;
  endsAt: number;
  /** The question to the store that is under way. */
  storing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Counts most requests without a question to the store, and tells it of them within a second. So
 * requests do not wait for a database that all processes share, and cost it one query a second for
 * each key, however many there are.
 *
 * The first request of a window asks the store. From then on a process may count a tenth of the
 * points that are left before the store has to know. Near the limit, and for small limits, each
 * request waits for the store, as with `createLimiter`. No request within the limit is refused, and
 * each process lets at most a tenth too many through. Requests over the limit are refused without a
 * question.
 */
export function createLateLimiter(
  store: RateLimiterAbstract,
  now = () => performance.now(),
): Limiter {
  const { points } = store;
  const windows = new LRUCache<string, CountedWindow>({ max: MOST_KEYS });

  function windowOf(key: string): CountedWindow {
    const known = windows.get(key);
    if (known && now() < known.endsAt) return known;
    const window: CountedWindow = {
      own: 0,
      stored: 0,
      others: 0,
      endsAt: Infinity,
      storing: undefined,
      timer: undefined,
    };
    windows.set(key, window);
    return window;
  }

  /** Tells the store of the requests that it does not know. */
  async function tellStore(key: string, window: CountedWindow): Promise<void> {
    clearTimeout(window.timer);
    window.timer = undefined;
    const requests = window.own - window.stored;
    const { counted, msLeft } = await consume(store, key, requests);
    window.stored += requests;
    window.others = counted - window.stored;
    window.endsAt = now() + msLeft;
  }

  const storeOnce = (key: string, window: CountedWindow): Promise<void> =>
    (window.storing ??= tellStore(key, window).finally(() => (window.storing = undefined)));

  function storeLater(key: string, window: CountedWindow): void {
    const tell = () => void storeOnce(key, window).catch(() => windows.delete(key));
    window.timer ??= setTimeout(tell, STORED_WITHIN_MS).unref();
  }

  /** How many requests the store need not know yet. */
  function mayWait({ stored, others, endsAt }: CountedWindow): number {
    if (points < FEW_POINTS || endsAt === Infinity) return 0;
    return Math.max(0, (points - stored - others) * LATER_PART);
  }

  const msLeft = ({ endsAt }: CountedWindow) => Math.max(0, endsAt - now());

  return {
    points,
    async count(key) {
      const window = windowOf(key);
      const isOver = window.own + window.others >= points;
      if (isOver && window.endsAt !== Infinity)
        return { counted: points + 1, msLeft: msLeft(window) };
      const place = ++window.own;
      try {
        while (place - window.stored > mayWait(window)) await storeOnce(key, window);
      } catch (error) {
        windows.delete(key);
        throw error;
      }
      if (place > window.stored) storeLater(key, window);
      return { counted: window.others + place, msLeft: msLeft(window) };
    },
  };
}
