import Router from '@koa/router';
import type { TaskRun } from '../../contract/answers.ts';
import type { Tasks } from '../../temporal/tasks/tasks.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  identityOf,
  taskIdOf,
} from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';

export interface TaskRunDeps extends EnterDeps {
  tasks: Pick<Tasks, 'find'>;
  /** Where a task's run is in Temporal's web UI; null where the operator does not tell. */
  runAddress: (taskId: string) => string | null;
}

/** The way from a task to what operators see of it. */
export function taskRunRoutes(deps: TaskRunDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/run', ...enter(deps, 'read', 'admin'), (ctx) =>
    readRun(ctx, deps),
  );
  return router;
}

/** GET /agent/tasks/{taskId}/run */
async function readRun(ctx: ApiContext, { tasks, runAddress }: TaskRunDeps): Promise<void> {
  const { taskId } = await tasks.find(identityOf(ctx).organizationId, taskIdOf(ctx));
  ctx.body = { taskId, runUrl: runAddress(taskId) } satisfies TaskRun;
}
