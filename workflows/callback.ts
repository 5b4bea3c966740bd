import { ActivityFailure, ApplicationFailure, patched, TimeoutFailure, upsertMemo } from '@temporalio/workflow';
import { type CallbackAttempt, type CallbackDelivery, ended, type KeptAttempts } from '../src/contract/callback.ts';
import type { FinishedView, TaskInput } from '../src/contract/task.ts';
import { callbacks, refOf, summary } from './activities.ts';
import { deliverAsBefore } from './callbackBefore.ts';
import { attempt, messageOf } from './failures.ts';

interface Callback {
  url: string;
  finished: FinishedView;
}

/**
 * Delivers a callback (specification, Events, Sending rules) as one activity: Temporal's retry policy makes the
 * attempts, and the waits between them. The activity hands the attempts on; at the end the memo `callback` keeps them.
 * @param tell called once with the outcome, as a short text
 */
export async function deliver(
  task: TaskInput,
  { url, finished }: Callback,
  tell: (state: string) => void,
): Promise<CallbackDelivery> {
  const message = { task: refOf(task), callbackUrl: url, finished };
  if (!patched('callback-policy')) return deliverAsBefore(message, tell);
  const title = summary('Tell the callback that the task has ended');
  const sent = await attempt(callbacks.sendCallback.executeWithOptions(title, [message]));
  const delivery: CallbackDelivery = sent.ok
    ? { state: 'delivered', attempts: sent.value.attempts }
    : { state: 'failed', attempts: attemptsIn(sent.error) };
  upsertMemo({ callback: delivery });
  tell(sent.ok ? 'delivered' : `not delivered: ${delivery.attempts.at(-1)?.error ?? messageOf(sent.error)}`);
  return delivery;
}

/** A failure has the attempts in its details, a timeout in its last heartbeat. */
function attemptsIn(error: unknown): CallbackAttempt[] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const kept = (cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : detailsOf(cause)) as
    KeptAttempts | undefined;
  return ended(kept?.attempts ?? []);
}

const detailsOf = (cause: unknown) => (cause instanceof ApplicationFailure ? cause.details?.[0] : undefined);
