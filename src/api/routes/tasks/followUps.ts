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
import { answerBody, followUpBody, publishTaskBody } from './tasks.schema.ts';
import { presentStartedTask } from './tasks.present.ts';

type FollowUpRouteDeps = FollowUpPorts & RouteDeps<'hasRoom'>;

/** Actions on an existing task: publish its result, retry it, cancel it, answer its question. */
export function followUpRoutes(deps: FollowUpRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = enter(deps, 'create');
  router.post(
    '/agent/tasks/:taskId/publish',
    ...entryChecks,
    roomOnDisk(deps),
    ...validBody(publishTaskBody, { optional: true }),
    async (ctx) => {
      const request = { taskId: taskIdOf(ctx), ...ctx.state.body };
      ctx.body = presentStartedTask(
        await startPublishTask(callerOf(ctx), deps, request, readSubmission(ctx)),
      );
    },
  );
  router.post(
    '/agent/tasks/:taskId/retry',
    ...entryChecks,
    roomOnDisk(deps),
    ...validBody(followUpBody, { optional: true }),
    async (ctx) => {
      const request = { taskId: taskIdOf(ctx), ...ctx.state.body };
      ctx.body = presentStartedTask(
        await startRetryTask(callerOf(ctx), deps, request, readSubmission(ctx)),
      );
    },
  );
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
