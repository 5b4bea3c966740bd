import { answerTaskQuestion } from '../../../tasks/answerQuestion.ts';
import { startPublishTask } from '../../../tasks/publishTask.ts';
import { startRetryTask } from '../../../tasks/retryTask.ts';
import { type ApiRouter, callerOf, readSubmission, taskIdOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import type { FollowUpPorts } from '../../../tasks/startTask.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { answerBody, followUpBody } from './tasks.schema.ts';
import { presentStartedTask } from './tasks.present.ts';

type FollowUpRouteDeps = FollowUpPorts & RouteDeps<'hasRoom'>;

/** Actions on an existing task: publish its result, retry it, cancel it, answer its question. */
export function followUpRoutes(deps: FollowUpRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = enter(deps, 'create');
  const routeStart = (path: string, useCase: typeof startPublishTask | typeof startRetryTask) =>
    router.post(
      path,
      ...entryChecks,
      roomOnDisk(deps),
      ...validBody(followUpBody, { optional: true }),
      async (ctx) => {
        const followUpRequest = { taskId: taskIdOf(ctx), ...ctx.state.body };
        ctx.body = presentStartedTask(
          await useCase(callerOf(ctx), deps, followUpRequest, readSubmission(ctx)),
        );
      },
    );
  routeStart('/agent/tasks/:taskId/publish', startPublishTask);
  routeStart('/agent/tasks/:taskId/retry', startRetryTask);
  router.post('/agent/tasks/:taskId/cancel', ...entryChecks, async (ctx) => {
    const taskId = taskIdOf(ctx);
    await deps.tasks.cancel(callerOf(ctx).organizationId, taskId);
    ctx.status = 202;
    ctx.body = { taskId, status: 'running' };
  });
  router.post(
    '/agent/tasks/:taskId/answer',
    ...entryChecks,
    roomOnDisk(deps),
    ...validBody(answerBody),
    async (ctx) => {
      const taskId = taskIdOf(ctx);
      await answerTaskQuestion(
        callerOf(ctx),
        deps,
        { taskId, ...ctx.state.body },
        readSubmission(ctx),
      );
      ctx.body = { taskId, status: 'running' };
    },
  );
  return router;
}
