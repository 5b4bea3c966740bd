import type { TaskSummary as SummaryAnswer } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import { presentPublications } from '../../tasks/publications.ts';
import type { TaskSummary } from '../../temporal/tasks/tasks.ts';
import { type ApiRouter, callerOf } from '../context.ts';
import type { Caller } from '../../tasks/caller.ts';
import type { Needs, RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
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

/** A part of the organization's tasks, newest first. @throws DomainError UNAVAILABLE */
export async function listTasks(
  { organizationId }: Caller,
  { tasks, publications, makers }: Needs<'tasks' | 'publications' | 'makers'>,
  query: TaskListQuery,
) {
  const found = await tasks.list({ organizationId, ...query });
  const live = await presentPublications({ publications }, found.tasks);
  const about = await presentAbout(makers, found.tasks);
  const present = (task: TaskSummary, i: number): SummaryAnswer => ({
    ...presentSummary(task),
    ...about[i]!,
    ...live[i]!,
  });
  return { tasks: found.tasks.map(present), nextCursor: found.nextCursor };
}

function presentSummary({
  taskId,
  type,
  siteId,
  status,
  publish,
  createdAt,
  finishedAt,
  ...more
}: TaskSummary) {
  const { callbackState: callback = null, restores, asks } = more;
  return defined({
    taskId,
    type,
    siteId,
    status,
    publish,
    createdAt,
    finishedAt,
    callback,
    restores,
    asks,
  });
}
