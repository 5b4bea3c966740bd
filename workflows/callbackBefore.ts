import { ApplicationFailure, isCancellation, patched, sleep, upsertMemo } from '@temporalio/workflow';
import type { CallbackAttempt, CallbackDelivery } from '../src/contract/callback.ts';
import { defined } from '../src/contract/defined.ts';
import type { Activities } from '../activities/index.ts';
import { callbackAttempts, callbacks, summary } from './activities.ts';
import { attempt, messageOf } from './failures.ts';
import { CALLBACK_RETRIES } from './policies.ts';

type Message = Parameters<Activities['sendCallback']>[0];
type Tell = (state: string) => void;

/** Delivery for tasks that began before `callback-policy`: one activity per attempt, with timers between them. */
export async function deliverAsBefore(message: Message, tell: Tell): Promise<CallbackDelivery> {
  if (!patched('callback-attempts')) return deliverByRetries(message, tell);
  const delivery: CallbackDelivery = { state: 'pending', attempts: [] };
  for (let retry = 0; delivery.state === 'pending'; retry++) {
    const at = new Date().toISOString();
    const title = summary(retry === 0 ? 'Tell the callback that the task has ended' : `Retry ${retry} of the callback`);
    const sent = await attempt(callbackAttempts.sendCallback.executeWithOptions(title, [message]));
    delivery.attempts.push({ at, ...(sent.ok ? { status: sent.value.status } : failureOf(sent.error)) });
    const wait = CALLBACK_RETRIES[retry];
    delivery.state = sent.ok ? 'delivered' : wait === undefined || isFinal(sent.error) ? 'failed' : 'pending';
    upsertMemo({ callback: delivery });
    if (delivery.state === 'pending') await sleep(wait!, summary(`Wait before retry ${retry + 1} of the callback`));
    else tell(sent.ok ? 'delivered' : `not delivered: ${messageOf(sent.error)}`);
  }
  return delivery;
}

const failureIn = (error: unknown) =>
  error instanceof Error && error.cause instanceof ApplicationFailure ? error.cause : undefined;
const isFinal = (error: unknown) => failureIn(error)?.nonRetryable === true;

/** The failure's details hold the receiver's status, if it answered. */
function failureOf(error: unknown): Omit<CallbackAttempt, 'at'> {
  const [details] = (failureIn(error)?.details ?? []) as [{ status?: number }?];
  const reason = isCancellation(error) ? 'The attempt was interrupted' : messageOf(error);
  return defined({ status: details?.status, error: reason });
}

/** Delivery for tasks that began before `callback-attempts`: no attempts are kept. */
async function deliverByRetries(message: Message, tell: Tell): Promise<CallbackDelivery> {
  const title = summary('Tell the callback that the task has ended');
  const sent = await attempt(callbacks.sendCallback.executeWithOptions(title, [message]));
  tell(sent.ok ? 'delivered' : `not delivered: ${messageOf(sent.error)}`);
  return { state: sent.ok ? 'delivered' : 'failed', attempts: [] };
}
