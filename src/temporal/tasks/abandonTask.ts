import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { doesResolve } from '../../errors.ts';
import type { TemporalCalls } from './temporalCalls.ts';

const TERMINATE_WITHIN_MS = 4_000;
/** How long and how often to try, in milliseconds. */
const defaultAttemptTimes = { forMs: 60_000, pauseMs: 1_000, longestPauseMs: 10_000 };

interface AbandonOptions {
  calls: Pick<TemporalCalls, 'within'> & { client: Pick<Client, 'workflow'> };
  /** Aborted when the process stops: no more attempts then. */
  closing: AbortSignal;
  attemptTimes?: typeof defaultAttemptTimes;
}

/**
 * Terminates a task whose creation was answered with an error, if Temporal started it after all: no
 * client knows its id. Tries for a minute, since a slow server may start it later.
 */
export async function abandonTask(
  taskId: string,
  { calls, closing, attemptTimes = defaultAttemptTimes }: AbandonOptions,
): Promise<void> {
  const deadline = performance.now() + attemptTimes.forMs;
  for (
    let pause = attemptTimes.pauseMs;
    !closing.aborted;
    pause = Math.min(2 * pause, attemptTimes.longestPauseMs)
  ) {
    const terminated = calls.within(TERMINATE_WITHIN_MS, () =>
      calls.client.workflow
        .getHandle(taskId)
        .terminate('The request that created the task was answered with an error'),
    );
    // not found or no answer: either may change
    if (await doesResolve(terminated)) return;
    if (performance.now() >= deadline) return;
    await delay(Math.min(pause, Math.max(0, deadline - performance.now())), undefined, {
      ref: false,
      signal: closing,
    }).catch(() => undefined);
  }
}
