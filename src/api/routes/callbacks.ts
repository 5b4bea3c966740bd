import { callbackBody } from '../../callbacks/body.ts';
import { fixedHeaders } from '../../callbacks/send.ts';
import type { Callback, Delivery } from '../../contract/answers.ts';
import type { CallbackAttempt, TestDelivery } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import type { NamedMaker } from '../../contract/maker.ts';
import type { TaskDeliveries, TaskDelivery } from '../../temporal/tasks/tasks.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  taskIdOf,
  type ValidBody,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { callbackTestBody, type CallbackTestBody } from './tasks.schema.ts';
import { checkCallback, makerOf } from '../../tasks/start.ts';

type Deps = RouteNeeds<'tasks' | 'makers' | 'checkCallbackUrl' | 'sendTest' | 'hasRoom'>;

/** Reading the deliveries of a task's callback, and delivering it again. */
export function callbackRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/callback', ...enter(deps, 'read'), (ctx) => read(ctx, deps));
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks/:taskId/callback/redeliver', ...entered, (ctx) =>
    deliverAgain(ctx, deps),
  );
  router.post('/callbacks/test', ...enter(deps, 'create'), ...validBody(callbackTestBody), (ctx) =>
    sendTest(ctx, deps),
  );
  return router;
}

async function sendTest(ctx: ApiContext<ValidBody<CallbackTestBody>>, deps: Deps): Promise<void> {
  const { url } = ctx.state.body;
  await checkCallback(url, deps);
  const { organizationId, signal } = workOf(ctx);
  const { delivered, status, error, ms } = await deps.sendTest(organizationId, url, signal!);
  ctx.body = { delivered, status, error, ms } satisfies TestDelivery;
}

async function read(ctx: ApiContext, deps: Deps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const found = await deps.tasks.deliveries(callerOf(ctx).organizationId, taskId);
  const askers = found.deliveries.map(({ requestedBy = null }) => requestedBy);
  ctx.body = presentCallback(taskId, found, await deps.makers.named(askers));
}

async function deliverAgain(ctx: ApiContext, deps: Deps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const caller = callerOf(ctx);
  await deps.tasks.redeliver(caller.organizationId, taskId, makerOf(caller));
  ctx.status = 202;
  ctx.body = { taskId };
}

/**
 * The deliveries of a callback, and the request that is sent.
 * @param askers who requested each delivery, in the order of the deliveries
 */
function presentCallback(
  taskId: string,
  { callbackUrl, finished, deliveries }: TaskDeliveries,
  askers: (NamedMaker | null)[],
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
  requestedBy: NamedMaker | null | undefined,
): Delivery =>
  defined({
    state,
    requestedAt,
    requestedBy: requestedBy ?? undefined,
    attempts: attempts.map(presentAttempt),
    nextAttemptAt,
  });

const presentAttempt = ({ at, status, error }: CallbackAttempt) =>
  defined({ at, timestamp: Math.floor(Date.parse(at) / 1_000), status, error });
