import { RULES } from '../../agents/assignment.ts';
import type { TaskRequest, TaskRun } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { TaskInput } from '../../contract/task.ts';
import type { TaskRecord } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, identityOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';

type Deps = RouteNeeds<'tasks' | 'runAddress'>;

/**
 * The request that created a task, so that clients can send it again with changes, and the address
 * of its run in Temporal's web UI, for operators.
 */
export function taskRequestRoutes(deps: Deps): ApiRouter {
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
async function readRun(ctx: ApiContext, { tasks, runAddress }: Deps): Promise<void> {
  const { taskId } = await tasks.find(identityOf(ctx).organizationId, taskIdOf(ctx));
  ctx.body = { taskId, runUrl: runAddress(taskId) } satisfies TaskRun;
}

/** GET /agent/tasks/{taskId}/request */
async function readRequest(ctx: ApiContext, { tasks }: Deps): Promise<void> {
  const { organizationId } = identityOf(ctx);
  const record = await tasks.find(organizationId, taskIdOf(ctx));
  const { input } = await tasks.request(organizationId, record.taskId);
  ctx.body = presentRequest(record, input);
}

function presentRequest(record: TaskRecord, input: TaskInput): TaskRequest {
  const { taskId, siteId, type: command } = record;
  const { publish, onWarnings = 'publish', ask = 'never', budget, callbackUrl } = input;
  return {
    taskId,
    siteId,
    command,
    baseTaskId: baseOf(record, input),
    publish,
    onWarnings,
    ask,
    ...workOf(input),
    ...defined({
      budget,
      callbackOrigin: callbackUrl && new URL(callbackUrl).origin,
    }),
  };
}

/**
 * The `baseTaskId` of the request. `follows` has it even if the base task changed nothing and so
 * has no result.
 */
const baseOf = ({ type, follows }: TaskRecord, { onto }: TaskInput): string | null =>
  (type === 'generate_pages' ? onto?.taskId : follows) ?? null;

function workOf({ work, model = RULES }: TaskInput) {
  if (work.type === 'prompt') return { prompt: work.prompt, model };
  if (work.type !== 'generate_pages') return {};
  const items = work.items.map(({ targetPageSlug, context, externalId, facts }) =>
    defined({ targetPageSlug, context, externalId, facts }),
  );
  return {
    templatePageSlug: work.templatePageSlug,
    items,
    ...defined({ linkFrom: work.linkFrom }),
    model,
  };
}
