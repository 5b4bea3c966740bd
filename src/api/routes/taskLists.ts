import { list } from '../../tasks/list.ts';
import { type ApiRouter, callerOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentTaskList } from './taskLists.present.ts';
import { presentAbout } from './tasks.present.ts';
import { taskListQuery } from './taskLists.schema.ts';

type Deps = RouteNeeds<'tasks' | 'publications' | 'makers'>;

/** GET /agent/tasks */
export function taskListRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
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
