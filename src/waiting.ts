import { AsyncLocalStorage } from 'node:async_hooks';

/** What some work waits for, and how long it has waited. */
export interface Waits {
  /** What it waits for now, for people; undefined while it works. */
  current(): string | undefined;
  /** Total milliseconds that it has waited so far. */
  total(): number;
}

/** `waits`: the work has done nothing but wait so far. `begun`: it got what it waited for. */
export type FirstWait = 'waits' | 'begun';

/** Work whose waits are counted. */
export interface Waiter {
  /**
   * Begins a wait.
   * @returns a function that ends it
   */
  begin(what: string): () => void;
}

const waiters = new AsyncLocalStorage<Waiter>();

/**
 * Runs work and measures its waits: everything that it passes to `waitFor`, at any depth.
 * @param onFirst called when the first wait begins, and when a wait ends for the first time
 */
export function countWaits<T>(
  work: (waits: Waits) => T,
  onFirst: (state: FirstWait) => void = () => undefined,
): T {
  const counter = createCounter(onFirst);
  return waiters.run(counter, () => work(counter));
}

/**
 * Waits for a resource that other work holds. The wait does not count as working time.
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

/** A signal that aborts with the first of the given ones; undefined ones are ignored. */
export const anySignal = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** The counter of the current work. undefined if its waits are not measured. */
export const currentWaiter = (): Waiter | undefined => waiters.getStore();

/** Runs work that several callers share. Its waits count for each of them. */
export function waitTogether<T>(all: (Waiter | undefined)[], work: () => T): T {
  const begin = (what: string) => {
    const ends = all.map((waiter) => waiter?.begin(what));
    return () => ends.forEach((end) => end?.());
  };
  return waiters.run({ begin }, work);
}

/**
 * Overlapping waits, e.g. for several threads, count once, from the first begin to the last end.
 */
function createCounter(onFirst: (state: FirstWait) => void): Waiter & Waits {
  const waiting: string[] = [];
  let state: FirstWait | undefined;
  const enter = (next: FirstWait) => {
    if (state === next || state === 'begun') return;
    state = next;
    onFirst(next);
  };
  let before = 0;
  let since = 0;
  return {
    begin(what: string): () => void {
      if (waiting.push(what) === 1) since = performance.now();
      enter('waits');
      return () => {
        enter('begun');
        waiting.splice(waiting.indexOf(what), 1);
        if (waiting.length === 0) before += performance.now() - since;
      };
    },
    current: () => waiting[0],
    total: () => before + (waiting.length === 0 ? 0 : performance.now() - since),
  };
}
