import type { TestDelivery } from '../../contract/callback.ts';
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
import { presentCallback } from './callbacks.present.ts';
import { callbackTestBody, type CallbackTestBody } from './tasks.schema.ts';
import { readDeliveries, redeliver } from '../../tasks/deliveries.ts';
import { checkCallback } from '../../tasks/start.ts';

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
  const { found, askers } = await readDeliveries(callerOf(ctx), deps, taskId);
  ctx.body = presentCallback(
    taskId,
    found,
    askers.map((asker) => asker ?? undefined),
  );
}

async function deliverAgain(ctx: ApiContext, deps: Deps): Promise<void> {
  const taskId = taskIdOf(ctx);
  await redeliver(callerOf(ctx), deps, taskId);
  ctx.status = 202;
  ctx.body = { taskId };
}
