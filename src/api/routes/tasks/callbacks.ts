import { callbackBody } from '../../../callbacks/callbackBody.ts';
import { callbackHeaders } from '../../../callbacks/callbackSender.ts';
import type { CallbackResponse, CallbackDeliveryResponse } from '../../../contract/responses.ts';
import type { CallbackAttempt, TestDelivery } from '../../../contract/callback.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { NamedCreator } from '../../../contract/creator.ts';
import type { TaskDeliveries, TaskDelivery } from '../../../temporal/tasks/taskService.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  taskIdOf,
  type ValidBody,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { callbackTestBody, type CallbackTestBody } from './tasks.schema.ts';
import { checkCallback, taskCreator } from '../../../tasks/startTask.ts';

type CallbackRouteDeps = RouteDeps<
  'tasks' | 'creators' | 'checkCallbackUrl' | 'sendTest' | 'hasRoom'
>;

/**
 * Callbacks, the POST requests that tell a client that its task has finished: reads the deliveries
 * of a task's callback, delivers it again, and sends a test callback.
 */
export function callbackRoutes(deps: CallbackRouteDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/callback', ...enter(deps, 'read'), (ctx) =>
    readCallback(ctx, deps),
  );
  const entryChecks = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks/:taskId/callback/redeliver', ...entryChecks, (ctx) =>
    redeliverCallback(ctx, deps),
  );
  router.post('/callbacks/test', ...enter(deps, 'create'), ...validBody(callbackTestBody), (ctx) =>
    sendTestCallback(ctx, deps),
  );
  return router;
}

async function sendTestCallback(
  ctx: ApiContext<ValidBody<CallbackTestBody>>,
  deps: CallbackRouteDeps,
): Promise<void> {
  const { url } = ctx.state.body;
  await checkCallback(url, deps);
  const { organizationId, signal } = jobOwnerOf(ctx);
  const { delivered, status, error, ms } = await deps.sendTest(organizationId, url, signal!);
  ctx.body = { delivered, status, error, ms } satisfies TestDelivery;
}

async function readCallback(ctx: ApiContext, deps: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const taskDeliveries = await deps.tasks.deliveries(callerOf(ctx).organizationId, taskId);
  const requesters = taskDeliveries.deliveries.map(({ requestedBy = null }) => requestedBy);
  ctx.body = presentCallback(taskId, taskDeliveries, await deps.creators.named(requesters));
}

async function redeliverCallback(ctx: ApiContext, deps: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const caller = callerOf(ctx);
  await deps.tasks.redeliver(caller.organizationId, taskId, taskCreator(caller));
  ctx.status = 202;
  ctx.body = { taskId };
}

/**
 * The response body: the deliveries of a callback, and the request that each of them sends.
 * @param requesterNames who requested each delivery, in the order of the deliveries
 */
function presentCallback(
  taskId: string,
  { callbackUrl, finished, deliveries }: TaskDeliveries,
  requesterNames: (NamedCreator | null)[],
): CallbackResponse {
  return {
    taskId,
    request: finished ? presentRequest(callbackUrl, taskId, callbackBody(taskId, finished)) : null,
    deliveries: deliveries.map((delivery, index) =>
      presentDelivery(delivery, requesterNames[index]),
    ),
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
  headers: { ...callbackHeaders, 'webhook-id': taskId },
  body,
});

const presentDelivery = (
  { state, attempts, nextAttemptAt, requestedAt }: TaskDelivery,
  requestedBy: NamedCreator | null | undefined,
): CallbackDeliveryResponse =>
  withoutUndefined({
    state,
    requestedAt,
    requestedBy: requestedBy ?? undefined,
    attempts: attempts.map(presentAttempt),
    nextAttemptAt,
  });

const presentAttempt = ({ at, status, error }: CallbackAttempt) =>
  withoutUndefined({ at, timestamp: Math.floor(Date.parse(at) / 1_000), status, error });
