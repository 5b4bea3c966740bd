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
