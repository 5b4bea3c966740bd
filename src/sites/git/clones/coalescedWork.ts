import { currentWaiter, waitFor, waitTogether, type WaitRecorder } from '../../../waitCounters.ts';

/*
 * Coalesced calls: callers that wait for the same lock with the same kind of work share one run.
 * If five tasks wait to push to one site, one `git push` serves all five:
 *
 *   const coalesce = createCoalescer(runUnderLock);
 *   await coalesce('push', argument, (callers) => pushAll(callers), signal); // one caller's result
 */

/** One caller's argument, and the signal that ends the caller's wait. */
export interface CoalescedCaller<A> {
  argument: A;
  signal: AbortSignal | undefined;
}

/**
 * Does the work for all callers of a call group, which share one run.
 * @param signal aborts when no caller waits any more
 * @returns a result for each caller, in their order. If it throws, all callers fail
 */
export type CoalescedWork<A, R> = (
  callers: CoalescedCaller<A>[],
  signal: AbortSignal,
) => Promise<PromiseSettledResult<R>[]>;

interface WaitingCaller extends CoalescedCaller<never> {
  waiter: WaitRecorder | undefined;
  begin: () => void;
  settle: (result: PromiseSettledResult<never>) => void;
}

interface CallGroup {
  callers: Set<WaitingCaller>;
  /** Aborts the work when no caller waits any more. */
  end: AbortController;
  hasBegun: boolean;
}

/** Most callers that share a run. Each of them waits for the whole run. */
const MAX_CALLERS = 25;

const rejectedResult = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/**
 * Makes a function that coalesces calls, see the top of this file.
 * @param exclusive runs work under the lock, in the order of the calls
 */
export function createCoalescer(exclusive: (work: () => Promise<void>) => Promise<void>) {
  const openGroups = new Map<string, CallGroup>();

  async function runGroup(
    { callers, end }: CallGroup,
    work: CoalescedWork<never, never>,
  ): Promise<void> {
    const groupCallers = [...callers];
    for (const { begin } of groupCallers) begin();
    const waiters = groupCallers.map(({ waiter }) => waiter);
    const results = await waitTogether(waiters, () => work(groupCallers, end.signal));
    groupCallers.forEach(({ settle }, index) => settle(results[index]!));
  }

  function scheduleGroup(kind: string, work: CoalescedWork<never, never>): CallGroup {
    const callGroup: CallGroup = {
      callers: new Set(),
      end: new AbortController(),
      hasBegun: false,
    };
    const closeGroup = () => {
      callGroup.hasBegun = true;
      if (openGroups.get(kind) === callGroup) openGroups.delete(kind);
    };
    const runNext = async () => {
      closeGroup();
      if (callGroup.callers.size > 0) await runGroup(callGroup, work);
    };
    openGroups.set(kind, callGroup);
    exclusive(runNext).catch((error: unknown) => {
      if (!callGroup.hasBegun) closeGroup();
      for (const { settle } of callGroup.callers) settle(rejectedResult(error));
    });
    return callGroup;
  }

  /**
   * Adds a caller to the next run of its kind. A caller that aborts before the run begins is left
   * out. If it aborts later, the work continues for the other callers.
   * @param kind names the work: callers of one kind share a run of the first caller's `work`
   * @param signal ends the caller's wait with its reason
   */
  return async <A, R>(
    kind: string,
    argument: A,
    work: CoalescedWork<A, R>,
    signal?: AbortSignal,
  ): Promise<R> => {
    signal?.throwIfAborted();
    const openGroup = openGroups.get(kind);
    const callGroup =
      openGroup && openGroup.callers.size < MAX_CALLERS
        ? openGroup
        : scheduleGroup(kind, work as unknown as CoalescedWork<never, never>);
    const beginning = Promise.withResolvers<void>();
    const completion = Promise.withResolvers<R>();
    const settle = (result: PromiseSettledResult<R>) => {
      beginning.resolve();
      if (result.status === 'fulfilled') completion.resolve(result.value);
      else completion.reject(result.reason as Error);
    };
    const waitingCaller: WaitingCaller = {
      argument: argument as never,
      signal,
      waiter: currentWaiter(),
      begin: beginning.resolve,
      settle,
    };
    callGroup.callers.add(waitingCaller);
    const leaveGroup = () => {
      // the work then ends with an error
      if (callGroup.hasBegun && callGroup.callers.size === 1)
        return callGroup.end.abort(signal?.reason);
      callGroup.callers.delete(waitingCaller);
      settle(rejectedResult(signal?.reason));
    };
    signal?.addEventListener('abort', leaveGroup, { once: true });
    try {
      await waitFor("the site's turn", beginning.promise);
      return await completion.promise;
    } finally {
      signal?.removeEventListener('abort', leaveGroup);
    }
  };
}

export type WorkCoalescer = ReturnType<typeof createCoalescer>;
