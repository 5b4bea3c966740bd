import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { Site } from '../../contract/site.ts';
import { isTaskId, type TaskWork } from '../../contract/task.ts';
import { DomainError, errorCodes } from '../../errors.ts';
import type { StartRequest, Tasks } from '../../temporal/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validate } from '../middleware/validate.ts';
import { presentStarted, presentView } from './tasks.present.ts';
import { createTaskBody, type CreateTaskBody } from './tasks.schema.ts';

export interface TaskRouteDeps extends EnterDeps {
  /** The organization's site, null for an unknown one and for another organization's. */
  sites: { find(organizationId: string, siteId: string): Promise<Site | null> };
  /** Throws INVALID_CALLBACK_URL for a URL that no callback may go to. */
  checkCallbackUrl: (url: string) => Promise<void>;
  tasks: Tasks;
}

const longestCallbackUrl = 2_048;
const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** Specification: Endpoints. */
export function taskRoutes(deps: TaskRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create');
  router.post('/agent/tasks', ...entered, jsonBody(), validate(createTaskBody), (ctx) => create(ctx, deps));
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), (ctx) => read(ctx, deps, ctx.params['taskId'] ?? ''));
  return router;
}

/** POST /agent/tasks: whatever keeps a valid request from becoming a task is `Failed to start task`. */
async function create(ctx: ApiContext, deps: TaskRouteDeps): Promise<void> {
  try {
    const request = await startRequest(ctx, deps);
    const started = await deps.tasks.start(request);
    ctx.state.taskId = started.taskId;
    ctx.body = presentStarted(started);
  } catch (error) {
    if (error instanceof DomainError && errorCodes[error.code] < 500) throw error;
    throw new DomainError('START_FAILED', 'Failed to start task', { cause: error });
  }
}

/** GET /agent/tasks/{taskId}: an id that no task can have never leaves this function. */
async function read(ctx: ApiContext, { tasks }: TaskRouteDeps, taskId: string): Promise<void> {
  if (!isTaskId(taskId)) throw new DomainError('NOT_FOUND', 'Task not found');
  ctx.state.taskId = taskId;
  ctx.body = presentView(await tasks.read(identityOf(ctx).organizationId, taskId));
}

/** Checks in the order that design.md fixes: callback URL, site, repository. */
async function startRequest(ctx: ApiContext, deps: TaskRouteDeps): Promise<StartRequest> {
  const { organizationId } = identityOf(ctx);
  const body = ctx.state.body as CreateTaskBody;
  const idempotencyKey = idempotencyKeyOf(ctx);
  if (body.callbackUrl !== undefined) await checkCallback(body.callbackUrl, deps);
  const site = await deps.sites.find(organizationId, body.siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  ctx.state.siteId = site.siteId;
  if (!site.repository) throw new DomainError('SITE_WITHOUT_REPOSITORY', 'Site is missing repository information');
  const asked = { organizationId, siteId: site.siteId, ...askedOf(body) };
  return {
    task: { ...asked, requestId: ctx.state.requestId },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    bodyHash: createHash('sha256').update(JSON.stringify(asked)).digest('hex'),
  };
}

async function checkCallback(url: string, { checkCallbackUrl }: TaskRouteDeps): Promise<void> {
  if (url.length > longestCallbackUrl)
    throw new DomainError('INVALID_CALLBACK_URL', `Callback URL is over ${longestCallbackUrl} characters long`);
  await checkCallbackUrl(url);
}

/** The fields in one order, whatever order the client wrote them in, so that equal requests have equal hashes. */
function askedOf(body: CreateTaskBody) {
  const { publish, callbackUrl } = body;
  return { publish, ...(callbackUrl !== undefined && { callbackUrl }), work: workOf(body) };
}

function workOf(body: CreateTaskBody): TaskWork {
  if (body.command === 'prompt') return { type: 'prompt', prompt: body.prompt };
  const items = body.items.map(({ targetPageSlug, context, externalId }) => ({
    targetPageSlug,
    context,
    ...(externalId !== undefined && { externalId }),
  }));
  return { type: 'generate_pages', templatePageSlug: body.templatePageSlug, items };
}

function idempotencyKeyOf(ctx: ApiContext): string | undefined {
  const given = ctx.req.headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && idempotencyKeyPattern.test(given)) return given;
  throw new DomainError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}
