import { type DiffDeps, readDiff } from '../../tasks/diff.ts';
import { type ApiRouter, callerOf, taskIdOf, workOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { presentDiff } from './taskDiffs.present.ts';

type Deps = DiffDeps & RouteNeeds<never>;

export function taskDiffRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/diff', ...enter(deps, 'read'), async (ctx) => {
    const taskId = taskIdOf(ctx);
    const { commits, diff } = await readDiff(callerOf(ctx), deps, taskId, workOf(ctx));
    ctx.body = presentDiff(taskId, commits, diff);
  });
  return router;
}
