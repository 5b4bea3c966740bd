import type { TaskSummaryResponse } from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { presentPublications } from '../../../tasks/publications.ts';
import type { ListedTask } from '../../../temporal/tasks/taskService.ts';
import { type ApiRouter, callerOf } from '../../context.ts';
import type { RequestCaller } from '../../../tasks/caller.ts';
import type { SomeApiDeps, RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { presentIdentities } from './tasks.present.ts';
import { type TaskListQuery, taskListQuery } from './taskLists.schema.ts';

type TaskListRouteDeps = RouteDeps<'tasks' | 'publications' | 'creators'>;

/** GET /agent/tasks */
export function taskListRoutes(deps: TaskListRouteDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks', ...enter(deps, 'read'), validateQuery(taskListQuery), async (ctx) => {
    ctx.body = await listTasks(callerOf(ctx), deps, ctx.state.query);
  });
  return router;
}

/**
 * A part of the organization's tasks: the running ones, then the finished ones, newest first.
 * @throws DomainError UNAVAILABLE
 */
export async function listTasks(
  { organizationId }: RequestCaller,
  { tasks, publications, creators }: SomeApiDeps<'tasks' | 'publications' | 'creators'>,
  query: TaskListQuery,
) {
  const taskPart = await tasks.list({ organizationId, ...query });
  const publicationSummaries = await presentPublications({ publications }, taskPart.tasks);
  const identities = await presentIdentities(creators, taskPart.tasks);
  const presentListedTask = (task: ListedTask, index: number): TaskSummaryResponse => ({
    ...presentSummary(task),
    ...identities[index]!,
    ...publicationSummaries[index]!,
  });
  return { tasks: taskPart.tasks.map(presentListedTask), nextCursor: taskPart.nextCursor };
}

function presentSummary({
  taskId,
  type,
  siteId,
  status,
  publish,
  createdAt,
  finishedAt,
  ...otherFields
}: ListedTask) {
  const { callbackState: callback = null, restores, asks } = otherFields;
  return withoutUndefined({
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
