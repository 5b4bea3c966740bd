import { callbackBody } from '../../callbacks/body.ts';
import { fixedHeaders } from '../../callbacks/send.ts';
import type { Callback, Delivery } from '../../contract/answers.ts';
import type { CallbackAttempt } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import type { NamedMaker } from '../../contract/maker.ts';
import type { TaskDeliveries, TaskDelivery } from '../../temporal/tasks/tasks.ts';

type Asker = NamedMaker | undefined;

/**
 * The deliveries of a callback, and the request that is sent.
 * @param askers who requested each delivery, in the order of the deliveries
 */
export function presentCallback(
  taskId: string,
  { callbackUrl, finished, deliveries }: TaskDeliveries,
  askers: Asker[],
): Callback {
  return {
    taskId,
    request: finished ? presentRequest(callbackUrl, taskId, callbackBody(taskId, finished)) : null,
    deliveries: deliveries.map((delivery, i) => presentDelivery(delivery, askers[i])),
  };
}

/**
 * The request of every attempt. The rest of the callback URL may be secret, so only its origin is
 * shown. The signature is left out, because anyone could replay the request with it for some
 * minutes.
 */
const presentRequest = (callbackUrl: string, taskId: string, body: string) => ({
  method: 'POST' as const,
  origin: new URL(callbackUrl).origin,
  headers: { ...fixedHeaders, 'webhook-id': taskId },
  body,
});

const presentDelivery = (
  { state, attempts, nextAttemptAt, requestedAt }: TaskDelivery,
  requestedBy: Asker,
): Delivery =>
  defined({
    state,
    requestedAt,
    requestedBy,
    attempts: attempts.map(presentAttempt),
    nextAttemptAt,
  });

const presentAttempt = ({ at, status, error }: CallbackAttempt) =>
  defined({ at, timestamp: Math.floor(Date.parse(at) / 1_000), status, error });
