import { ApplicationFailure, isCancellation, patched, sleep, upsertMemo } from '@temporalio/workflow';
import type { CallbackAttempt, CallbackDelivery, FinishedView, TaskInput } from '../src/contract/task.ts';
import { callbacks, refOf, retriedCallbacks, summary } from './activities.ts';
import { attempt, messageOf } from './failures.ts';
import { CALLBACK_RETRIES } from './policies.ts';

interface Callback {
  url: string;
  finished: FinishedView;
}

/**
 * Delivers a callback (specification, Events, Sending rules): an activity for each attempt, and the waits between them as timers, so that
 * each attempt stands in the history, and in the memo `callback` for who asks how it went.
 * @param tell is told in a word how it ended
 */
export async function deliver(
  task: TaskInput,
  { url, finished }: Callback,
  tell: (state: string) => void,
): Promise<CallbackDelivery> {
  if (!patched('callback-attempts')) return deliverByRetries(task, { url, finished }, tell);
  const delivery: CallbackDelivery = { state: 'pending', attempts: [] };
  const message = [{ task: refOf(task), callbackUrl: url, finished }] as const;
  for (let retry = 0; delivery.state === 'pending'; retry++) {
    const at = new Date().toISOString();
    const title = summary(retry === 0 ? 'Tell the callback that the task has ended' : `Retry ${retry} of the callback`);
    const sent = await attempt(callbacks.sendCallback.executeWithOptions(title, [...message]));
    delivery.attempts.push({ at, ...(sent.ok ? sent.value : failureOf(sent.error)) });
    const wait = CALLBACK_RETRIES[retry];
    delivery.state = sent.ok ? 'delivered' : wait === undefined || isFinal(sent.error) ? 'failed' : 'pending';
    upsertMemo({ callback: delivery });
    if (delivery.state === 'pending') await sleep(wait!);
    else tell(sent.ok ? 'delivered' : `not delivered: ${messageOf(sent.error)}`);
  }
  return delivery;
}

const failureIn = (error: unknown) =>
  error instanceof Error && error.cause instanceof ApplicationFailure ? error.cause : undefined;
const isFinal = (error: unknown) => failureIn(error)?.nonRetryable === true;

/** The receiver's status stands in the failure's details, where it answered at all. */
function failureOf(error: unknown): Omit<CallbackAttempt, 'at'> {
  const [details] = (failureIn(error)?.details ?? []) as [{ status?: number }?];
  const reason = isCancellation(error) ? 'The attempt was interrupted' : messageOf(error);
  return { ...(details?.status !== undefined && { status: details.status }), error: reason };
}

/** As tasks did it that began before attempts were kept. */
async function deliverByRetries(
  task: TaskInput,
  { url, finished }: Callback,
  tell: (state: string) => void,
): Promise<CallbackDelivery> {
  const title = summary('Tell the callback that the task has ended');
  const sent = await attempt(
    retriedCallbacks.sendCallback.executeWithOptions(title, [{ task: refOf(task), callbackUrl: url, finished }]),
  );
  tell(sent.ok ? 'delivered' : `not delivered: ${messageOf(sent.error)}`);
  return { state: sent.ok ? 'delivered' : 'failed', attempts: [] };
}
