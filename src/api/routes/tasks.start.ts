import { createHash } from 'node:crypto';
import type { Site, SiteRegister, SiteWithRepository } from '../../contract/site.ts';
import { isTaskId, type TaskInput } from '../../contract/task.ts';
import { DomainError, errorCodes } from '../../errors.ts';
import * as registered from '../../sites/git/registered.ts';
import type { StartRequest, Tasks } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, identityOf } from '../context.ts';
import type { EnterDeps } from '../middleware/enter.ts';
import { presentStarted } from './tasks.present.ts';

/** What every route needs that starts a task. */
export interface StartDeps extends EnterDeps {
  sites: SiteRegister;
  /** Throws INVALID_CALLBACK_URL for a URL that no callback may go to. */
  checkCallbackUrl: (url: string) => Promise<void>;
  tasks: Tasks;
}

const longestCallbackUrl = 2_048;
const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** Starts the task of a request: whatever keeps a valid one from becoming a task is `Failed to start task`. */
export async function start(
  ctx: ApiContext,
  { tasks }: StartDeps,
  requested: () => Promise<StartRequest>,
): Promise<void> {
  try {
    const started = await tasks.start(await requested());
    ctx.state.taskId = started.taskId;
    ctx.body = presentStarted(started);
  } catch (error) {
    if (error instanceof DomainError && errorCodes[error.code] < 500) throw error;
    throw new DomainError('START_FAILED', 'Failed to start task', { cause: error });
  }
}

/** The id of a path: one that no task can have goes no further. Throws NOT_FOUND. */
export function taskIdOf(ctx: ApiContext, taskId: string): string {
  if (!isTaskId(taskId)) throw new DomainError('NOT_FOUND', 'Task not found');
  ctx.state.taskId = taskId;
  return taskId;
}

/** Specification, Events, Sending rules 2. Throws INVALID_CALLBACK_URL. */
export async function checkCallback(url: string | undefined, { checkCallbackUrl }: StartDeps): Promise<void> {
  if (url === undefined) return;
  if (url.length > longestCallbackUrl)
    throw new DomainError('INVALID_CALLBACK_URL', `Callback URL is over ${longestCallbackUrl} characters long`);
  await checkCallbackUrl(url);
}

/** The organization's site, with repository. Throws NOT_FOUND, SITE_WITHOUT_REPOSITORY. */
export async function findSite(
  ctx: ApiContext,
  { sites }: Pick<StartDeps, 'sites'>,
  siteId: string,
): Promise<SiteWithRepository> {
  const { organizationId } = identityOf(ctx);
  const site = await registered.findSite(sites, { organizationId, siteId });
  ctx.state.siteId = site.siteId;
  return registered.withRepository(site);
}

/** @param asked what the client asks for, its fields in an order of ours, so that equal requests have equal hashes */
export function requestFor(
  ctx: ApiContext,
  { siteId }: Site,
  fields: Pick<TaskInput, 'publish' | 'callbackUrl' | 'onto' | 'work'>,
  asked: object = fields,
): StartRequest {
  const owner = { organizationId: identityOf(ctx).organizationId, siteId };
  const idempotencyKey = idempotencyKeyOf(ctx);
  return {
    task: { ...owner, ...fields, requestId: ctx.state.requestId },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    bodyHash: createHash('sha256')
      .update(JSON.stringify({ ...owner, ...asked }))
      .digest('hex'),
  };
}

function idempotencyKeyOf(ctx: ApiContext): string | undefined {
  const given = ctx.req.headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && idempotencyKeyPattern.test(given)) return given;
  throw new DomainError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}
