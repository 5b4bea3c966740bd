import { AsyncLocalStorage } from 'node:async_hooks';

/** What some work waits for, beside what it does. */
export interface Waits {
  /** What it waits for now; undefined while it works. */
  current(): string | undefined;
  /** Milliseconds that it has waited so far. */
  total(): number;
}

/** Work whose waits are counted. */
export interface Waiter {
  /** Begins a wait. @returns ends it */
  begin(what: string): () => void;
}

const waiters = new AsyncLocalStorage<Waiter>();

/**
 * Runs work, and counts how long it waits: all that it passes to `waitFor`, in whatever function.
 */
export function countWaits<T>(work: (waits: Waits) => T): T {
  const counter = createCounter();
  return waiters.run(counter, () => work(counter));
}

/**
 * Waits for a turn that others hold. The time does not count as the time of the work that waits.
 * @param what for people: `the site's turn`
 */
export async function waitFor<T>(what: string, turn: Promise<T>): Promise<T> {
  const end = waiters.getStore()?.begin(what);
  try {
    return await turn;
  } finally {
    end?.();
  }
}

/** The work that asks, if its waits are counted. */
export const currentWaiter = (): Waiter | undefined => waiters.getStore();

/** Runs work that several wait for: what it waits for, all of them wait for. */
export function waitTogether<T>(all: (Waiter | undefined)[], work: () => T): T {
  const begin = (what: string) => {
    const ends = all.map((waiter) => waiter?.begin(what));
    return () => ends.forEach((end) => end?.());
  };
  return waiters.run({ begin }, work);
}

/**
 * Work that waits for several turns at once, as for several threads, waits until it has the last
 * one.
 */
function createCounter(): Waiter & Waits {
  const waiting: string[] = [];
  let before = 0;
  let since = 0;
  return {
    begin(what: string): () => void {
      if (waiting.push(what) === 1) since = performance.now();
      return () => {
        waiting.splice(waiting.indexOf(what), 1);
        if (waiting.length === 0) before += performance.now() - since;
      };
    },
    current: () => waiting[0],
    total: () => before + (waiting.length === 0 ? 0 : performance.now() - since),
  };
}
