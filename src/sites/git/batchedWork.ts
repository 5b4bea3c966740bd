import { currentWaiter, waitFor, waitTogether, type Waiter } from '../../waiting.ts';

/** One caller's argument, and the signal that ends the caller's wait. */
export interface Caller<A> {
  argument: A;
  signal: AbortSignal | undefined;
}

/**
 * Does the work for all callers of a batch at once.
 * @param signal aborts when no caller waits any more
 * @returns a result for each caller, in their order. If it throws, all callers fail
 */
export type BatchWork<A, R> = (
  callers: Caller<A>[],
  signal: AbortSignal,
) => Promise<PromiseSettledResult<R>[]>;

interface Joined extends Caller<never> {
  waiter: Waiter | undefined;
  begin: () => void;
  settle: (result: PromiseSettledResult<never>) => void;
}

interface Batch {
  callers: Set<Joined>;
  /** Aborts the work when no caller waits any more. */
  end: AbortController;
  hasBegun: boolean;
}

/** Callers in one batch. Each of them waits for the whole batch. */
const MOST = 25;

const failed = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/**
 * Batches work of one kind that waits for a lock: all waiting callers share one run.
 * @param exclusive runs work under the lock, in the order of the calls
 */
export function createBatches(exclusive: (work: () => Promise<void>) => Promise<void>) {
  const waiting = new Map<string, Batch>();

  async function runGroup({ callers, end }: Batch, work: BatchWork<never, never>): Promise<void> {
    const all = [...callers];
    for (const { begin } of all) begin();
    const waiters = all.map(({ waiter }) => waiter);
    const results = await waitTogether(waiters, () => work(all, end.signal));
    all.forEach(({ settle }, at) => settle(results[at]!));
  }

  function scheduleGroup(kind: string, work: BatchWork<never, never>): Batch {
    const batch: Batch = { callers: new Set(), end: new AbortController(), hasBegun: false };
    const close = () => {
      batch.hasBegun = true;
      if (waiting.get(kind) === batch) waiting.delete(kind);
    };
    const next = async () => {
      close();
      if (batch.callers.size > 0) await runGroup(batch, work);
    };
    waiting.set(kind, batch);
    exclusive(next).catch((error: unknown) => {
      if (!batch.hasBegun) close();
      for (const { settle } of batch.callers) settle(failed(error));
    });
    return batch;
  }

  /**
   * Adds a caller to the next batch of its kind. A caller that aborts before the batch begins takes
   * no part. If it aborts later, the work goes on for the other callers.
   * @param kind names the work: the first caller's function serves the whole batch
   * @param signal ends the caller's wait with its reason
   */
  return async <A, R>(
    kind: string,
    argument: A,
    work: BatchWork<A, R>,
    signal?: AbortSignal,
  ): Promise<R> => {
    signal?.throwIfAborted();
    const open = waiting.get(kind);
    const batch =
      open && open.callers.size < MOST
        ? open
        : scheduleGroup(kind, work as unknown as BatchWork<never, never>);
    const begun = Promise.withResolvers<void>();
    const done = Promise.withResolvers<R>();
    const settle = (result: PromiseSettledResult<R>) => {
      begun.resolve();
      if (result.status === 'fulfilled') done.resolve(result.value);
      else done.reject(result.reason as Error);
    };
    const joined: Joined = {
      argument: argument as never,
      signal,
      waiter: currentWaiter(),
      begin: begun.resolve,
      settle,
    };
    batch.callers.add(joined);
    const leave = () => {
      // the work then ends with an error
      if (batch.hasBegun && batch.callers.size === 1) return batch.end.abort(signal?.reason);
      batch.callers.delete(joined);
      settle(failed(signal?.reason));
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      await waitFor("the site's turn", begun.promise);
      return await done.promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };
}

export type Batches = ReturnType<typeof createBatches>;
