import {
  ActivityFailure,
  ApplicationFailure,
  TimeoutFailure,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchEnd } from '../src/contract/batch.ts';
import {
  type CallbackAttempt,
  type CallbackDelivery,
  ended,
  type KeptAttempts,
} from '../src/contract/callback.ts';
import { defined } from '../src/contract/defined.ts';
import type { FinishedView, TaskInput } from '../src/contract/task.ts';
import { callbackSteps, heartbeatOf, refOf, siteOf, summary } from './activities.ts';
import { messageOf, settle } from './failures.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

interface Callback {
  url: string;
  finished: FinishedView | BatchEnd;
}

/**
 * Delivers a callback (docs/contract.md, section 7) as one activity: Temporal's retry
 * policy makes the attempts, and the waits between them. The activity hands the attempts on; at the
 * end the memo `callback` keeps them.
 * @param tell called with the state of the delivery, as a short text: when it begins, and with its
 *   outcome
 */
export async function deliver(
  task: Parameters<typeof refOf>[0] & Pick<TaskInput, 'siteName' | 'heartbeats'>,
  { url, finished }: Callback,
  tell: (state: string) => void,
): Promise<CallbackDelivery> {
  const message = { task: refOf(task), callbackUrl: url, finished: withoutNotes(finished) };
  tell(UNDER_WAY);
  const title = summary(`Tell the callback that the task on ${siteOf(task)} has ended`);
  const options = { ...title, ...heartbeatOf(task) };
  const sent = await settle(callbackSteps.sendCallback.executeWithOptions(options, [message]));
  const delivery: CallbackDelivery = sent.ok
    ? { state: 'delivered', attempts: sent.value.attempts }
    : { state: 'failed', attempts: attemptsIn(sent.error) };
  upsertMemo({ callback: delivery });
  upsertSearchAttributes([{ key: attributeKeys.callbackStatus, value: delivery.state }]);
  tell(
    sent.ok
      ? 'delivered'
      : `not delivered: ${delivery.attempts.at(-1)?.error ?? messageOf(sent.error)}`,
  );
  return delivery;
}

/** A callback's body has no notes, so they are left out of the activity's argument. */
function withoutNotes(finished: FinishedView | BatchEnd): FinishedView | BatchEnd {
  if (!('output' in finished)) return finished;
  return { ...finished, output: defined({ ...finished.output, notes: undefined }) };
}

/** The workflow does not run between two attempts, so it can't show how many there were. */
const UNDER_WAY =
  'under way: up to 4 attempts, after 5, 10 and 20 s. How far it is, Pending Activities tells';

/** The attempts: in a failure's details, or in the last heartbeat before a timeout. */
function attemptsIn(error: unknown): CallbackAttempt[] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const kept = (cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : detailsOf(cause)) as
    | KeptAttempts
    | undefined;
  return ended(kept?.attempts ?? []);
}

const detailsOf = (cause: unknown) =>
  cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
