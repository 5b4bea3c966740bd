import Router from '@koa/router';
import type { TestDelivery } from '../../contract/callback.ts';
import type { Makers } from '../../organizations/makers.ts';
import type { Tasks } from '../../temporal/tasks/tasks.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  taskIdOf,
  type ValidBody,
  workOf,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { presentCallback } from './callbacks.present.ts';
import { callbackTestBody, type CallbackTestBody } from './tasks.schema.ts';
import { readDeliveries, redeliver } from '../../tasks/deliveries.ts';
import { checkCallback } from '../../tasks/start.ts';

export interface CallbackRouteDeps extends EnterDeps, RoomDeps {
  tasks: Tasks;
  makers: Makers;
  /** Throws INVALID_CALLBACK_URL for a URL that no callback may go to. */
  checkCallbackUrl: (url: string) => Promise<void>;
  /**
   * Sends one signed test to a URL that may be called. Made by `createSendTest`
   * (src/callbacks/test.ts).
   */
  sendTest: (organizationId: string, url: string, signal: AbortSignal) => Promise<TestDelivery>;
}

/** How a task's callback was delivered, and delivering it again. */
export function callbackRoutes(deps: CallbackRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/callback', ...enter(deps, 'read'), (ctx) => read(ctx, deps));
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks/:taskId/callback/redeliver', ...entered, (ctx) =>
    deliverAgain(ctx, deps),
  );
  const body = [jsonBody(), validate(callbackTestBody)] as const;
  router.post('/callbacks/test', ...enter(deps, 'create'), ...body, (ctx) => sendTest(ctx, deps));
  return router;
}

async function sendTest(
  ctx: ApiContext<ValidBody<CallbackTestBody>>,
  deps: CallbackRouteDeps,
): Promise<void> {
  const { url } = ctx.state.body;
  await checkCallback(url, deps);
  const { organizationId, signal } = workOf(ctx);
  const { delivered, status, error, ms } = await deps.sendTest(organizationId, url, signal!);
  ctx.body = { delivered, status, error, ms } satisfies TestDelivery;
}

async function read(ctx: ApiContext, deps: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const { found, askers } = await readDeliveries(callerOf(ctx), deps, taskId);
  ctx.body = presentCallback(
    taskId,
    found,
    askers.map((asker) => asker ?? undefined),
  );
}

async function deliverAgain(ctx: ApiContext, deps: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  await redeliver(callerOf(ctx), deps, taskId);
  ctx.status = 202;
  ctx.body = { taskId };
}
