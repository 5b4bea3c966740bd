import { answer } from '../../tasks/answer.ts';
import { publish } from '../../tasks/publish.ts';
import { retry } from '../../tasks/retry.ts';
import { type ApiRouter, callerOf, sentIn, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import type { FollowUpDeps } from '../../tasks/start.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { answerBody, followUpBody } from './tasks.schema.ts';
import { presentStarted } from './tasks.present.ts';

type Deps = FollowUpDeps & RouteNeeds<'hasRoom'>;

/** Actions on an existing task: publish its result, retry it, cancel it, answer its question. */
export function followUpRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = enter(deps, 'create');
  const starts = (path: string, useCase: typeof publish | typeof retry) =>
    router.post(
      path,
      ...entered,
      roomOnDisk(deps),
      ...validBody(followUpBody, { optional: true }),
      async (ctx) => {
        const request = { taskId: taskIdOf(ctx), ...ctx.state.body };
        ctx.body = presentStarted(await useCase(callerOf(ctx), deps, request, sentIn(ctx)));
      },
    );
  starts('/agent/tasks/:taskId/publish', publish);
  starts('/agent/tasks/:taskId/retry', retry);
  router.post('/agent/tasks/:taskId/cancel', ...entered, async (ctx) => {
    const taskId = taskIdOf(ctx);
    await deps.tasks.cancel(callerOf(ctx).organizationId, taskId);
    ctx.status = 202;
    ctx.body = { taskId, status: 'running' };
  });
  router.post(
    '/agent/tasks/:taskId/answer',
    ...entered,
    roomOnDisk(deps),
    ...validBody(answerBody),
    async (ctx) => {
      const taskId = taskIdOf(ctx);
      await answer(callerOf(ctx), deps, { taskId, ...ctx.state.body }, sentIn(ctx));
      ctx.body = { taskId, status: 'running' };
    },
  );
  return router;
}
