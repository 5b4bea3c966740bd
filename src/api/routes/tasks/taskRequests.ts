import { RULES } from '../../../agents/modelAssignment.ts';
import type { TaskRequestResponse, TaskRun } from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { TaskInput } from '../../../contract/task.ts';
import type { TaskRecord } from '../../../temporal/tasks/taskService.ts';
import { type ApiContext, type ApiRouter, callerIdentity, taskIdOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';

type TaskRequestRouteDeps = RouteDeps<'tasks' | 'runUrlOf'>;

/**
 * The request that created a task, so that clients can send it again with changes, and the URL of
 * its run in Temporal's web UI, for admins.
 */
export function taskRequestRoutes(deps: TaskRequestRouteDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/request', ...enter(deps, 'read'), (ctx) =>
    readRequest(ctx, deps),
  );
  router.get('/agent/tasks/:taskId/run', ...enter(deps, 'read', 'admin'), (ctx) =>
    readRun(ctx, deps),
  );
  return router;
}

/** GET /agent/tasks/{taskId}/run */
async function readRun(ctx: ApiContext, { tasks, runUrlOf }: TaskRequestRouteDeps): Promise<void> {
  const { taskId } = await tasks.find(callerIdentity(ctx).organizationId, taskIdOf(ctx));
  ctx.body = { taskId, runUrl: runUrlOf(taskId) } satisfies TaskRun;
}

/** GET /agent/tasks/{taskId}/request */
async function readRequest(ctx: ApiContext, { tasks }: TaskRequestRouteDeps): Promise<void> {
  const { organizationId } = callerIdentity(ctx);
  const taskRecord = await tasks.find(organizationId, taskIdOf(ctx));
  const { input } = await tasks.request(organizationId, taskRecord.taskId);
  ctx.body = presentRequest(taskRecord, input);
}

function presentRequest(taskRecord: TaskRecord, input: TaskInput): TaskRequestResponse {
  const { taskId, siteId, type: command } = taskRecord;
  const { publish, onWarnings = 'publish', ask: askMode = 'never', budget, callbackUrl } = input;
  return {
    taskId,
    siteId,
    command,
    baseTaskId: baseTaskIdOf(taskRecord, input),
    publish,
    onWarnings,
    ask: askMode,
    ...requestedWork(input),
    ...withoutUndefined({
      budget,
      callbackOrigin: callbackUrl && new URL(callbackUrl).origin,
    }),
  };
}

/**
 * The `baseTaskId` of the request. `follows` has it even if the base task changed nothing and so
 * has no result.
 */
const baseTaskIdOf = ({ type, follows }: TaskRecord, { baseTask }: TaskInput): string | null =>
  (type === 'generate_pages' ? baseTask?.taskId : follows) ?? null;

function requestedWork({ work, model = RULES }: TaskInput) {
  if (work.type === 'prompt') return { prompt: work.prompt, model };
  if (work.type !== 'generate_pages') return {};
  const items = work.items.map(({ targetPageSlug, context, externalId, facts }) =>
    withoutUndefined({ targetPageSlug, context, externalId, facts }),
  );
  return {
    templatePageSlug: work.templatePageSlug,
    items,
    ...withoutUndefined({ linkFrom: work.linkFrom }),
    model,
  };
}
