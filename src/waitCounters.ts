import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What some work waits for, and how long it has waited. Activities have a limit on their working
 * time, in which waiting for a thread or for a site's lock does not count.
 */
export interface WaitCounter {
  /** What it waits for now, in words for people. undefined while it works. */
  current(): string | undefined;
  /** Total milliseconds that it has waited so far. */
  total(): number;
}

/** `waits`: the work has done nothing but wait so far. `begun`: it got what it waited for. */
export type FirstWait = 'waits' | 'begun';

/** Work whose waits are counted. */
export interface WaitRecorder {
  /**
   * Begins a wait.
   * @returns a function that ends it
   */
  begin(resourceName: string): () => void;
}

const waiters = new AsyncLocalStorage<WaitRecorder>();

/**
 * Runs work and measures its waits: everything that it passes to `waitFor`, at any depth.
 * @param onFirst called when the first wait begins, and when a wait ends for the first time
 */
export function countWaits<T>(
  work: (waits: WaitCounter) => T,
  onFirst: (state: FirstWait) => void = () => undefined,
): T {
  const counter = createCounter(onFirst);
  return waiters.run(counter, () => work(counter));
}

/**
 * Waits for a resource that other work holds. The wait does not count as working time.
 * @param resourceName names the resource for people: `a thread`
 */
export async function waitFor<T>(resourceName: string, heldResource: Promise<T>): Promise<T> {
  const endWait = waiters.getStore()?.begin(resourceName);
  try {
    return await heldResource;
  } finally {
    endWait?.();
  }
}

/** A signal that aborts with the first of the given ones; undefined ones are ignored. */
export const anySignal = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** The counter of the current work. undefined if its waits are not measured. */
export const currentWaiter = (): WaitRecorder | undefined => waiters.getStore();

/** Runs work that several callers share. Its waits count for each of them. */
export function waitTogether<T>(waitersToCount: (WaitRecorder | undefined)[], work: () => T): T {
  const beginAll = (resourceName: string) => {
    const endWaits = waitersToCount.map((waiter) => waiter?.begin(resourceName));
    return () => endWaits.forEach((endWait) => endWait?.());
  };
  return waiters.run({ begin: beginAll }, work);
}

/**
 * Overlapping waits, e.g. for several threads, count once, from the first begin to the last end.
 */
function createCounter(onFirst: (state: FirstWait) => void): WaitRecorder & WaitCounter {
  const waiting: string[] = [];
  let state: FirstWait | undefined;
  const enterState = (nextState: FirstWait) => {
    if (state === nextState || state === 'begun') return;
    state = nextState;
    onFirst(nextState);
  };
  let earlierMs = 0;
  let waitingSince = 0;
  return {
    begin(resourceName: string): () => void {
      if (waiting.push(resourceName) === 1) waitingSince = performance.now();
      enterState('waits');
      return () => {
        enterState('begun');
        waiting.splice(waiting.indexOf(resourceName), 1);
        if (waiting.length === 0) earlierMs += performance.now() - waitingSince;
      };
    },
    current: () => waiting[0],
    total: () => earlierMs + (waiting.length === 0 ? 0 : performance.now() - waitingSince),
  };
}
