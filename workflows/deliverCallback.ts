import {
  ActivityFailure,
  ApplicationFailure,
  TimeoutFailure,
  proxySinks,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchOutcome } from '../src/contract/batches/batch.ts';
import {
  type CallbackAttempt,
  type CallbackDelivery,
  closeInterruptedAttempts,
  type RecordedAttempts,
} from '../src/contract/callback.ts';
import type { TaskSinks } from '../src/contract/metrics.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { TaskOutcome, TaskInput } from '../src/contract/task.ts';
import {
  callbackActivities,
  heartbeatOptions,
  taskRefOf,
  siteLabel,
  summaryOptions,
} from './activityProxies.ts';
import { clientMessage, settle } from './failures.ts';
import { attributeKeys } from '../src/contract/searchAttributes.ts';

const { tasks } = proxySinks<TaskSinks>();

interface CallbackToSend {
  url: string;
  finished: TaskOutcome | BatchOutcome;
}

/**
 * Delivers a callback (docs/contract.md, section 7) by one activity, which Temporal retries. The
 * activity passes on the record of its attempts. At the end, the memo field `callback` stores it.
 * @param reportState called with the state of the delivery, as a short text: when it begins, and
 *   with its outcome
 * @returns `delivered` or `failed`, with all attempts. It does not throw if the delivery fails
 */
export async function deliverCallback(
  task: Parameters<typeof taskRefOf>[0] & Pick<TaskInput, 'siteName' | 'heartbeats'>,
  { url, finished }: CallbackToSend,
  reportState: (state: string) => void,
): Promise<CallbackDelivery> {
  const message = { task: taskRefOf(task), callbackUrl: url, finished: withoutNotes(finished) };
  reportState(UNDER_WAY);
  const title = summaryOptions(`Send the callback of the task on ${siteLabel(task)}`);
  const options = { ...title, ...heartbeatOptions(task) };
  const sendResult = await settle(
    callbackActivities.sendCallback.executeWithOptions(options, [message]),
  );
  const delivery: CallbackDelivery = sendResult.ok
    ? { state: 'delivered', attempts: sendResult.value.attempts }
    : { state: 'failed', attempts: attemptsIn(sendResult.error) };
  if (!sendResult.ok) tasks.deliveryGivenUp({ kind: 'callback' });
  upsertMemo({ callback: delivery });
  upsertSearchAttributes([{ key: attributeKeys.callbackStatus, value: delivery.state }]);
  reportState(
    sendResult.ok
      ? 'delivered'
      : `not delivered: ${delivery.attempts.at(-1)?.error ?? clientMessage(sendResult.error)}`,
  );
  return delivery;
}

/** A callback's body has no notes, so they are left out of the activity's argument. */
function withoutNotes(finished: TaskOutcome | BatchOutcome): TaskOutcome | BatchOutcome {
  if (!('output' in finished)) return finished;
  return { ...finished, output: withoutUndefined({ ...finished.output, notes: undefined }) };
}

/** The workflow does not run between two attempts, so it can't show how many there were. */
const UNDER_WAY =
  'in progress: up to 4 attempts, with pauses of 5, 10 and 20 s. See Pending Activities';

/** The attempts: in a failure's details, or in the last heartbeat before a timeout. */
function attemptsIn(error: unknown): CallbackAttempt[] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const keptAttempts = (
    cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : failureDetails(cause)
  ) as RecordedAttempts | undefined;
  return closeInterruptedAttempts(keptAttempts?.attempts ?? []);
}

const failureDetails = (cause: unknown) =>
  cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
