import Router from '@koa/router';
import type { Makers } from '../../organizations/makers.ts';
import { list, type ListDeps } from '../../tasks/list.ts';
import { type ApiRouter, type ApiState, callerOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentTaskList } from './taskLists.present.ts';
import { presentAbout } from './tasks.present.ts';
import { taskListQuery } from './taskLists.schema.ts';

export interface TaskListDeps extends ListDeps, EnterDeps {
  makers: Makers;
}

/** GET /agent/tasks */
export function taskListRoutes(deps: TaskListDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks', ...enter(deps, 'read'), validateQuery(taskListQuery), async (ctx) => {
    const found = await list(callerOf(ctx), deps, ctx.state.query);
    ctx.body = presentTaskList(
      found.list,
      await presentAbout(deps.makers, found.list.tasks),
      found.live,
    );
  });
  return router;
}
