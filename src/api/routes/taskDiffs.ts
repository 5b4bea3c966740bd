import Router from '@koa/router';
import { type DiffDeps, readDiff } from '../../tasks/diff.ts';
import { type ApiRouter, type ApiState, callerOf, taskIdOf, workOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { presentDiff } from './taskDiffs.present.ts';

export interface TaskDiffDeps extends DiffDeps, EnterDeps {}

export function taskDiffRoutes(deps: TaskDiffDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/diff', ...enter(deps, 'read'), async (ctx) => {
    const taskId = taskIdOf(ctx);
    const { commits, diff } = await readDiff(callerOf(ctx), deps, taskId, workOf(ctx));
    ctx.body = presentDiff(taskId, commits, diff);
  });
  return router;
}
