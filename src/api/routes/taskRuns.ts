import type { TaskRun } from '../../contract/answers.ts';
import { type ApiContext, type ApiRouter, identityOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';

type Deps = RouteNeeds<'tasks' | 'runAddress'>;

/** The address of a task's run in Temporal's web UI, for operators. */
export function taskRunRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/run', ...enter(deps, 'read', 'admin'), (ctx) =>
    readRun(ctx, deps),
  );
  return router;
}

/** GET /agent/tasks/{taskId}/run */
async function readRun(ctx: ApiContext, { tasks, runAddress }: Deps): Promise<void> {
  const { taskId } = await tasks.find(identityOf(ctx).organizationId, taskIdOf(ctx));
  ctx.body = { taskId, runUrl: runAddress(taskId) } satisfies TaskRun;
}
