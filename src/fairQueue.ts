import { waitFor } from './waitCounters.ts';

export interface FairQueue {
  /**
   * Runs work as soon as its caller gets a place, which is the right to run one piece of work.
   * @param callerKey identifies the caller
   * @param signal aborts the wait with its reason
   */
  run<T>(callerKey: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Takes one place away from a caller for some milliseconds. Other callers can use it. */
  pause(callerKey: string, ms: number): void;
}

interface FairQueueOptions {
  what: string;
  places: number;
  perCaller?: number;
  leavesLast?: (callerKey: string) => boolean;
}

/**
 * Creates a queue that limits concurrent work, and shares its places fairly among its callers, such
 * as organizations. A caller that is alone may use all places. The next free place goes to the
 * waiting caller that holds the fewest; among equals, to the one that was served least recently.
 * The work of one caller keeps its order. However much one caller asks for, others wait only for
 * work that already runs.
 *
 * For example, with 2 places, a caller queues the works a1, a2 and a3, and then another one b1. a1
 * and a2 run first. If a1 ends, b1 is next, because its caller holds no place.
 * @param options.what what callers wait for, for people: `a thread`
 * @param options.places maximum number of concurrent works
 * @param options.perCaller maximum number of concurrent works of one caller; default `places`
 * @param options.leavesLast whether a caller that holds a place must leave the last free one to
 *   callers that hold none, because its work may take long; default: no caller must
 */
export function createFairQueue({ what, ...options }: FairQueueOptions): FairQueue {
  const places = createPlaces(options);
  return {
    async run(callerKey, work, signal) {
      await waitFor(what, places.take(callerKey, signal));
      try {
        return await work();
      } finally {
        places.give(callerKey);
      }
    },
    pause(callerKey, ms) {
      places.count(callerKey, 1);
      const endPause = () => {
        places.count(callerKey, -1);
        places.begin();
      };
      setTimeout(endPause, ms).unref();
    },
  };
}

function createPlaces({
  places,
  perCaller = places,
  leavesLast = () => false,
}: Omit<FairQueueOptions, 'what'>) {
  /** Waiting work by caller. The first caller in the map was served least recently. */
  const waitingByCaller = new Map<string, Set<() => void>>();
  const runningByCaller = new Map<string, number>();
  let freePlaces = places;

  const heldPlaces = (callerKey: string) => runningByCaller.get(callerKey) ?? 0;

  function mayStart(callerKey: string): boolean {
    const ownPlaces = heldPlaces(callerKey);
    return ownPlaces < perCaller && (ownPlaces === 0 || freePlaces > 1 || !leavesLast(callerKey));
  }

  /** The caller whose work starts next, if any may start. */
  function nextCaller(): string | undefined {
    let callerWithFewest: string | undefined;
    for (const callerKey of freePlaces > 0 ? waitingByCaller.keys() : [])
      if (
        mayStart(callerKey) &&
        (callerWithFewest === undefined || heldPlaces(callerKey) < heldPlaces(callerWithFewest))
      )
        callerWithFewest = callerKey;
    return callerWithFewest;
  }

  /** Starts as much work as possible. Each start changes who holds the fewest places. */
  function startWaiting(): void {
    for (let callerKey = nextCaller(); callerKey !== undefined; callerKey = nextCaller())
      startFirst(callerKey, waitingByCaller.get(callerKey)!);
  }

  function startFirst(callerKey: string, callerQueue: Set<() => void>): void {
    const [firstWaiting] = callerQueue;
    callerQueue.delete(firstWaiting!);
    waitingByCaller.delete(callerKey);
    if (callerQueue.size > 0) waitingByCaller.set(callerKey, callerQueue);
    freePlaces--;
    changeCount(callerKey, 1);
    firstWaiting!();
  }

  function changeCount(callerKey: string, change: 1 | -1): void {
    const newCount = heldPlaces(callerKey) + change;
    if (newCount > 0) runningByCaller.set(callerKey, newCount);
    else runningByCaller.delete(callerKey);
  }

  function releasePlace(callerKey: string): void {
    changeCount(callerKey, -1);
    freePlaces++;
    startWaiting();
  }

  async function acquirePlace(callerKey: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const callerQueue = waitingByCaller.get(callerKey) ?? new Set();
    waitingByCaller.set(callerKey, callerQueue.add(resolve));
    const leaveQueue = () => {
      if (callerQueue.delete(resolve) && callerQueue.size === 0) waitingByCaller.delete(callerKey);
      reject(signal?.reason as Error);
      startWaiting();
    };
    signal?.addEventListener('abort', leaveQueue, { once: true });
    startWaiting();
    await promise.finally(() => signal?.removeEventListener('abort', leaveQueue));
  }

  return { take: acquirePlace, give: releasePlace, count: changeCount, begin: startWaiting };
}
