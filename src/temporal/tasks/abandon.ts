import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { succeeds } from '../../errors.ts';
import type { Calls } from './calls.ts';

const TERMINATE_WITHIN_MS = 4_000;
/** Milliseconds. */
const usual = { forMs: 60_000, pauseMs: 1_000, longestPauseMs: 10_000 };

interface Options {
  calls: Pick<Calls, 'within'> & { client: Pick<Client, 'workflow'> };
  /** Ends the work. */
  closing: AbortSignal;
  patience?: typeof usual;
}

/**
 * Terminates a task whose creation failed, if the server started it after all: no client knows its
 * id. Tries for a minute, since a slow server may start it later.
 */
export async function abandon(
  taskId: string,
  { calls, closing, patience = usual }: Options,
): Promise<void> {
  const deadline = performance.now() + patience.forMs;
  for (
    let pause = patience.pauseMs;
    !closing.aborted;
    pause = Math.min(2 * pause, patience.longestPauseMs)
  ) {
    const terminated = calls.within(TERMINATE_WITHIN_MS, () =>
      calls.client.workflow.getHandle(taskId).terminate('Its creation was answered with an error'),
    );
    // not found or no answer: either may change
    if (await succeeds(terminated)) return;
    if (performance.now() >= deadline) return;
    await delay(Math.min(pause, Math.max(0, deadline - performance.now())), undefined, {
      ref: false,
      signal: closing,
    }).catch(() => undefined);
  }
}
