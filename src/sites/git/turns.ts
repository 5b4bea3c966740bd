/** Work that only some may do at the same time, of each owner and in all. */
export interface Turns {
  /**
   * Runs work when it is its turn: first the owner's with the least work under way, then who came first.
   * Throws the signal's reason when that aborts the wait.
   */
  run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  owner: string;
  begin: () => void;
}

/**
 * @param options.inAll how much work runs at the same time
 * @param options.each how much of it is of one owner: the slow work of one leaves room for others
 */
export function createTurns({ inAll, each }: { inAll: number; each: number }): Turns {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;
  const runningOf = ({ owner }: Waiting) => running.get(owner) ?? 0;

  function count(owner: string, change: 1 | -1) {
    const now = (running.get(owner) ?? 0) + change;
    if (now === 0) running.delete(owner);
    else running.set(owner, now);
    total += change;
  }

  function beginNext() {
    while (total < inAll) {
      const [next] = [...waiting].filter((one) => runningOf(one) < each).sort((a, b) => runningOf(a) - runningOf(b));
      if (!next) return;
      waiting.delete(next);
      count(next.owner, 1);
      next.begin();
    }
  }

  async function turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { owner, begin: resolve };
    const leave = () => waiting.delete(own) && reject(signal?.reason as Error);
    waiting.add(own);
    signal?.addEventListener('abort', leave);
    beginNext();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  return {
    async run(owner, work, signal) {
      await turn(owner, signal);
      try {
        return await work();
      } finally {
        count(owner, -1);
        beginNext();
      }
    },
  };
}
