import { randomUUID } from 'node:crypto';
import { channelMessage } from '../src/callbacks/channelMessage.ts';
import type { DeliveryAttempt, OpenedDelivery } from '../src/contract/events.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { hasErrorCode } from '../src/errors.ts';
import { waitFor } from '../src/waitCounters.ts';
import type { ActivityDependencies } from './deps.ts';
import { readWithRetry } from './readWithRetry.ts';

interface DeliverEventInput {
  /** Never present: a workflow of its own delivers events. */
  task?: never;
  deliveryId: string;
  /** Whether no attempt follows. */
  isLast: boolean;
}

type DeliverEventDependencies = Pick<
  ActivityDependencies,
  'eventLog' | 'eventMails' | 'callbacks' | 'log'
>;

/**
 * Makes one attempt to deliver an event, and logs it. If that was the last one, and the endpoint is
 * disabled because all deliveries failed for days, mails its owners. Repeatable: it sends the same
 * bytes with the same webhook-id, and owners are mailed until a mail server accepts the letter.
 * @returns `over` if it was accepted, or if the endpoint was disabled before the last attempt
 */
export function createDeliverEvent(deps: DeliverEventDependencies) {
  const { eventLog, eventMails, log } = deps;
  return async (
    { deliveryId, isLast }: DeliverEventInput,
    signal: AbortSignal,
  ): Promise<'over' | 'failed'> => {
    const onWait = (err: unknown) => log.warn({ deliveryId, err }, EVENT_WAIT_MESSAGE);
    const readDelivery = readWithRetry(() => eventLog.open(deliveryId), { signal, onWait });
    const delivery = await waitFor('the database', readDelivery);
    const attempt = delivery && (await sendEvent(deps, delivery, isLast, signal));
    if (attempt) {
      const store = () => eventLog.storeAttempt(deliveryId, attempt);
      await waitFor('the database', readWithRetry(store, { signal, onWait }));
    }
    if (isLast) {
      const disabledEndpoint = await eventLog.unreportedFailure(deliveryId);
      if (disabledEndpoint && (await eventMails.mailOwners(disabledEndpoint)))
        await eventLog.failureReported(disabledEndpoint.endpointId);
    }
    return attempt?.error === undefined || (attempt.isLast && !isLast) ? 'over' : 'failed';
  };
}

const EVENT_WAIT_MESSAGE = 'the delivery of an event is waiting for the database';

/** The attempt to store. The last one, without a request, if the endpoint is disabled. */
async function sendEvent(
  { callbacks }: DeliverEventDependencies,
  { isEnabled, kind, url, secrets, body, eventId }: OpenedDelivery,
  isLast: boolean,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const attemptId = randomUUID();
  if (!isEnabled) return { attemptId, error: 'The endpoint is disabled', isLast: true };
  const message = {
    body: kind === 'webhook' ? body : channelMessage(kind, body),
    webhookId: eventId,
    timestamp: new Date(),
    secrets,
  };
  try {
    const status = await callbacks.send({ url, ...message }, signal);
    return { attemptId, status, isLast };
  } catch (error) {
    if (!hasErrorCode(error, 'CALLBACK_FAILED')) throw error;
    const status = error.details?.['status'] as number | undefined;
    return { attemptId, ...withoutUndefined({ status }), error: error.message, isLast };
  }
}
