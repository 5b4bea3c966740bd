import { list } from '../../tasks/list.ts';
import { type ApiRouter, callerOf } from '../context.ts';
import type { Caller } from '../../tasks/caller.ts';
import type { Needs, RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentTaskList } from './taskLists.present.ts';
import { presentAbout } from './tasks.present.ts';
import { type TaskListQuery, taskListQuery } from './taskLists.schema.ts';

type Deps = RouteNeeds<'tasks' | 'publications' | 'makers'>;

/** GET /agent/tasks */
export function taskListRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks', ...enter(deps, 'read'), validateQuery(taskListQuery), async (ctx) => {
    ctx.body = await listTasks(callerOf(ctx), deps, ctx.state.query);
  });
  return router;
}

/** A part of the organization's tasks. @throws DomainError UNAVAILABLE */
export async function listTasks(
  caller: Caller,
  deps: Needs<'tasks' | 'publications' | 'makers'>,
  query: TaskListQuery,
) {
  const found = await list(caller, deps, query);
  const about = await presentAbout(deps.makers, found.list.tasks);
  return presentTaskList(found.list, about, found.live);
}
