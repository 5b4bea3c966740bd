import { AsyncLocalStorage } from 'node:async_hooks';

/** What some work waits for, and for how long. */
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
 * Waits for something that others hold. This time does not count as time of the work.
 * @param what for people: `a thread`
 */
export async function waitFor<T>(what: string, held: Promise<T>): Promise<T> {
  const end = waiters.getStore()?.begin(what);
  try {
    return await held;
  } finally {
    end?.();
  }
}

/** A signal that aborts with the first of these; undefined ones never do. */
export const anySignal = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** The counter of the current work, if its waits are counted. */
export const currentWaiter = (): Waiter | undefined => waiters.getStore();

/** Runs work that several callers wait for. Its waits count as waits of each of them. */
export function waitTogether<T>(all: (Waiter | undefined)[], work: () => T): T {
  const begin = (what: string) => {
    const ends = all.map((waiter) => waiter?.begin(what));
    return () => ends.forEach((end) => end?.());
  };
  return waiters.run({ begin }, work);
}

/** Waits that overlap, as for several threads, count once: from the first begin to the last end. */
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
