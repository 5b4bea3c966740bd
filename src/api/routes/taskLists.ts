import Router from '@koa/router';
import type { PublicationReader } from '../../contract/published.ts';
import type { Tasks } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf, type ValidQuery } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import type { Makers } from '../../organizations/makers.ts';
import { presentTaskList } from './taskLists.present.ts';
import { presentPublications } from '../../tasks/publications.ts';
import { presentAbout } from './tasks.present.ts';
import { taskListQuery, type TaskListQuery } from './taskLists.schema.ts';

export interface TaskListDeps extends EnterDeps {
  tasks: Pick<Tasks, 'list'>;
  makers: Makers;
  publications: PublicationReader;
}

export function taskListRoutes(deps: TaskListDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks', ...enter(deps, 'read'), validateQuery(taskListQuery), (ctx) => list(ctx, deps));
  return router;
}

/** GET /agent/tasks */
async function list(
  ctx: ApiContext<ValidQuery<TaskListQuery>>,
  { tasks, makers, publications }: TaskListDeps,
): Promise<void> {
  const { organizationId } = identityOf(ctx);
  const list = await tasks.list({ organizationId, ...ctx.state.query });
  const live = await presentPublications({ publications }, list.tasks);
  ctx.body = presentTaskList(list, await presentAbout(makers, list.tasks), live);
}
