import Router from '@koa/router';
import type { CallbackAttempt, CallbackDelivery } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import type { Tasks } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { taskIdOf } from './tasks.start.ts';

export interface CallbackRouteDeps extends EnterDeps, RoomDeps {
  tasks: Tasks;
}

/** How a task's callback was delivered, and delivering it again. */
export function callbackRoutes(deps: CallbackRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/callback', ...enter(deps, 'read'), (ctx) => read(ctx, deps));
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks/:taskId/callback/redeliver', ...entered, (ctx) => redeliver(ctx, deps));
  return router;
}

async function read(ctx: ApiContext, { tasks }: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  const deliveries = await tasks.deliveries(identityOf(ctx).organizationId, taskId);
  ctx.body = { taskId, deliveries: deliveries.map(presentDelivery) };
}

async function redeliver(ctx: ApiContext, { tasks }: CallbackRouteDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  await tasks.redeliver(identityOf(ctx).organizationId, taskId);
  ctx.status = 202;
  ctx.body = { taskId };
}

const presentDelivery = ({ state, attempts, nextAttemptAt }: CallbackDelivery) =>
  defined({ state, attempts: attempts.map(presentAttempt), nextAttemptAt });

const presentAttempt = ({ at, status, error }: CallbackAttempt) => defined({ at, status, error });
