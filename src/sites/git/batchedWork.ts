import { currentWaiter, waitFor, waitTogether, type Waiter } from '../../waiting.ts';

/** What one caller asks for, and the signal that says when it no longer waits. */
export interface Asker<A> {
  argument: A;
  signal: AbortSignal | undefined;
}

/**
 * Does the work of all who asked for it, at once.
 * @param signal aborts when none of them waits any more
 * @returns what came out for each of them, in their order. What it throws is everybody's failure
 */
export type WorkTogether<A, R> = (
  askers: Asker<A>[],
  signal: AbortSignal,
) => Promise<PromiseSettledResult<R>[]>;

interface Joined extends Asker<never> {
  waiter: Waiter | undefined;
  begin: () => void;
  settle: (result: PromiseSettledResult<never>) => void;
}

interface Batch {
  askers: Set<Joined>;
  /** Tells the work that nobody waits for it any more. */
  end: AbortController;
  hasBegun: boolean;
}

/** Callers of one work, whose time counts for each of them. */
const MOST = 25;

const failed = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/**
 * Work of the same kind that waits for the same turn is done together.
 * @param inTurn runs one work after the other, in the order in which they came
 */
export function createTogether(inTurn: (work: () => Promise<void>) => Promise<void>) {
  const waiting = new Map<string, Batch>();

  async function run({ askers, end }: Batch, work: WorkTogether<never, never>): Promise<void> {
    const all = [...askers];
    for (const { begin } of all) begin();
    const waiters = all.map(({ waiter }) => waiter);
    const results = await waitTogether(waiters, () => work(all, end.signal));
    all.forEach(({ settle }, at) => settle(results[at]!));
  }

  function schedule(kind: string, work: WorkTogether<never, never>): Batch {
    const batch: Batch = { askers: new Set(), end: new AbortController(), hasBegun: false };
    const close = () => {
      batch.hasBegun = true;
      if (waiting.get(kind) === batch) waiting.delete(kind);
    };
    const turn = async () => {
      close();
      if (batch.askers.size > 0) await run(batch, work);
    };
    waiting.set(kind, batch);
    inTurn(turn).catch((error: unknown) => {
      if (!batch.hasBegun) close();
      for (const { settle } of batch.askers) settle(failed(error));
    });
    return batch;
  }

  /**
   * Asks for work, which is done in the next turn of its kind together with what others ask for
   * until then. Who leaves before that takes no part. In the middle of it, the work goes on for
   * those who stay.
   * @param kind names the work, so that that of the first who asks does for all
   * @param signal ends the waiting with its reason
   */
  return async <A, R>(
    kind: string,
    argument: A,
    work: WorkTogether<A, R>,
    signal?: AbortSignal,
  ): Promise<R> => {
    signal?.throwIfAborted();
    const open = waiting.get(kind);
    const batch =
      open && open.askers.size < MOST
        ? open
        : schedule(kind, work as unknown as WorkTogether<never, never>);
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
    batch.askers.add(joined);
    const leave = () => {
      if (batch.hasBegun && batch.askers.size === 1) return batch.end.abort(signal?.reason); // the end of the work tells
      batch.askers.delete(joined);
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

export type Together = ReturnType<typeof createTogether>;
