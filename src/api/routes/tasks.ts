import Router from '@koa/router';
import type { Site } from '../../contract/site.ts';
import type { TaskWork } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { StartRequest } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { validate } from '../middleware/validate.ts';
import { presentView } from './tasks.present.ts';
import { createTaskBody, type CreateTaskBody } from './tasks.schema.ts';
import { checkCallback, findSite, requestFor, start, type StartDeps, taskIdOf } from './tasks.start.ts';

export type TaskRouteDeps = StartDeps;

/** Specification: Endpoints. */
export function taskRoutes(deps: TaskRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.post('/agent/tasks', ...enter(deps, 'create'), jsonBody(), validate(createTaskBody), (ctx) =>
    start(ctx, deps, () => startRequest(ctx, deps)),
  );
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), (ctx) => read(ctx, deps, ctx.params['taskId'] ?? ''));
  return router;
}

/** GET /agent/tasks/{taskId} */
async function read(ctx: ApiContext, { tasks }: TaskRouteDeps, taskId: string): Promise<void> {
  const own = taskIdOf(ctx, taskId);
  ctx.body = presentView(await tasks.read(identityOf(ctx).organizationId, own));
}

/** Checks in the order that design.md fixes: callback URL, site, repository; then the task to work on top of. */
async function startRequest(ctx: ApiContext, deps: TaskRouteDeps): Promise<StartRequest> {
  const body = ctx.state.body as CreateTaskBody;
  await checkCallback(body.callbackUrl, deps);
  const site = await findSite(ctx, deps, body.siteId);
  const onto = body.baseTaskId === undefined ? undefined : await findBase(ctx, deps, site, body.baseTaskId);
  return requestFor(ctx, site, {
    publish: body.publish,
    ...(body.callbackUrl !== undefined && { callbackUrl: body.callbackUrl }),
    ...(onto && { onto }),
    work: workOf(body),
  });
}

/** The result to work on top of; undefined where the base task, and what it was built on, changed nothing. */
async function findBase(ctx: ApiContext, { tasks }: TaskRouteDeps, { siteId }: Site, baseTaskId: string) {
  const base = await tasks.find(identityOf(ctx).organizationId, baseTaskId).catch((error: unknown) => {
    throw isNotFound(error) ? new DomainError('NOT_FOUND', 'Base task not found') : error;
  });
  if (base.siteId !== siteId) throw new DomainError('INVALID_INPUT', 'baseTaskId names a task of another site');
  if (!base.finished) throw new DomainError('CONFLICT', 'Base task is still running');
  if (base.finished.status === 'failed')
    throw new DomainError('CONFLICT', 'Base task failed: there is no result to work on top of');
  return base.finished.result;
}

const isNotFound = (error: unknown) => error instanceof DomainError && error.code === 'NOT_FOUND';

function workOf(body: CreateTaskBody): TaskWork {
  if (body.command === 'prompt') return { type: 'prompt', prompt: body.prompt };
  const items = body.items.map(({ targetPageSlug, context, externalId }) => ({
    targetPageSlug,
    context,
    ...(externalId !== undefined && { externalId }),
  }));
  return { type: 'generate_pages', templatePageSlug: body.templatePageSlug, items };
}
