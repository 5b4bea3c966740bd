import Router from '@koa/router';
import { publish, type FollowUpDeps } from '../../tasks/publish.ts';
import { retry } from '../../tasks/retry.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  identityOf,
  sentIn,
  taskIdOf,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { followUpBody } from './tasks.schema.ts';
import { presentStarted } from './tasks.present.ts';

export interface FollowUpRouteDeps extends FollowUpDeps, EnterDeps, RoomDeps {}

/** Actions on an existing task: publish its result, retry it, cancel it. */
export function followUpRoutes(deps: FollowUpRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create');
  const starting = [...entered, roomOnDisk(deps)];
  const body = jsonBody({ optional: true });
  router.post(
    '/agent/tasks/:taskId/publish',
    ...starting,
    body,
    validate(followUpBody),
    async (ctx) => {
      ctx.body = presentStarted(
        await publish(callerOf(ctx), deps, taskIdOf(ctx), ctx.state.body, sentIn(ctx)),
      );
    },
  );
  router.post(
    '/agent/tasks/:taskId/retry',
    ...starting,
    body,
    validate(followUpBody),
    async (ctx) => {
      ctx.body = presentStarted(
        await retry(callerOf(ctx), deps, taskIdOf(ctx), ctx.state.body, sentIn(ctx)),
      );
    },
  );
  router.post('/agent/tasks/:taskId/cancel', ...entered, (ctx) => cancel(ctx, deps));
  return router;
}

/** POST /agent/tasks/{taskId}/cancel */
async function cancel(ctx: ApiContext, { tasks }: FollowUpDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  await tasks.cancel(identityOf(ctx).organizationId, taskId);
  ctx.status = 202;
  ctx.body = { taskId, status: 'running' };
}
