import { createHash } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import type { Maker } from '../contract/maker.ts';
import type { Site, SiteWithRepository } from '../contract/site.ts';
import type { TaskInput } from '../contract/task.ts';
import { DomainError, errorCodes } from '../errors.ts';
import * as registered from '../sites/git/registeredSite.ts';
import type { StartedTask, StartRequest } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';

export type StartDeps = Needs<'sites' | 'checkCallbackUrl' | 'tasks' | 'tokenLimits'>;

/** Dependencies of the use cases that make a new task from an existing one. */
export type FollowUpDeps = StartDeps & Needs<'publications' | 'deployments' | 'noteStates'>;

/** A task to start, built from a request. */
export interface AskedTask {
  site: Pick<Site, 'siteId' | 'name'>;
  fields: Pick<
    TaskInput,
    | 'publish'
    | 'onWarnings'
    | 'callbackUrl'
    | 'onto'
    | 'ontoNotes'
    | 'model'
    | 'budget'
    | 'ask'
    | 'work'
  >;
  /**
   * `title`: absent for the default one. `follows`: the task that it publishes, retries or builds
   * on.
   */
  about?: { title?: string | undefined; follows?: string | undefined; group?: string | undefined };
  /**
   * The client's request, if `fields` contains more than the client sent. The order of its fields
   * is fixed, so that equal requests have equal hashes.
   */
  asked?: object;
}

const longestCallbackUrl = 2_048;

/**
 * Starts the task that a request asks for.
 * @throws DomainError START_FAILED if a valid request can't become a task; TOKENS_USED_UP if its
 *   language model may use no more tokens, unless an equal request has started it before
 */
export const start = (
  caller: Caller,
  deps: StartDeps,
  asked: () => Promise<AskedTask>,
  sent: Sent,
) =>
  startOrFail(async () => {
    const task = await asked();
    const refusal = await refusalOf(caller, deps, task);
    if (refusal === undefined) return startAsked(caller, deps, task, sent);
    const before = await startedBefore(caller, deps, { asked: task.fields, ...task }, sent);
    if (before) return before;
    throw new DomainError('TOKENS_USED_UP', refusal);
  });

const refusalOf = async (
  { organizationId }: Caller,
  { tokenLimits }: StartDeps,
  { fields: { model } }: AskedTask,
) => (model === undefined ? undefined : tokenLimits.refusal(organizationId));

/** How a request to start a task was sent. */
export interface Sent {
  idempotencyKey: string | undefined;
  /** The path of the request: reusing the key for another path is refused. */
  path: string;
}

export async function startAsked(
  caller: Caller,
  { tasks }: Needs<'tasks'>,
  task: AskedTask,
  sent: Sent,
): Promise<StartedTask> {
  const started = await tasks.start(requestFor(caller, task, sent));
  caller.subject.taskId = started.taskId;
  return started;
}

/**
 * The task that an equal request has started with the same idempotency key; null if there is none.
 */
export async function startedBefore(
  caller: Caller,
  { tasks }: Needs<'tasks'>,
  { site, asked }: Required<Pick<AskedTask, 'site' | 'asked'>>,
  { idempotencyKey, path }: Sent,
): Promise<StartedTask | null> {
  if (idempotencyKey === undefined) return null;
  const { organizationId } = caller;
  return tasks.startedBefore({
    organizationId,
    idempotencyKey,
    bodyHash: hashOf(caller, site, asked),
    path,
  });
}

/**
 * Turns an unexpected failure to start a task into START_FAILED. Errors with a status below 500
 * stay.
 */
export async function startOrFail<T>(begin: () => Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof DomainError && errorCodes[error.code] < 500) throw error;
    const reason = error instanceof DomainError ? error.reason : undefined;
    throw new DomainError('START_FAILED', 'Failed to start task', {
      cause: error,
      ...defined({ reason }),
    });
  }
}

/**
 * Checks a callback URL (docs/contract.md, section 7.2).
 * @throws DomainError INVALID_CALLBACK_URL
 */
export async function checkCallback(
  url: string | undefined,
  { checkCallbackUrl }: Needs<'checkCallbackUrl'>,
): Promise<void> {
  if (url === undefined) return;
  if (url.length > longestCallbackUrl)
    throw new DomainError(
      'INVALID_CALLBACK_URL',
      `Callback URL is over ${longestCallbackUrl} characters long`,
    );
  await checkCallbackUrl(url);
}

/**
 * Finds the organization's site, which must have a repository.
 * @throws DomainError NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
export async function findSite(
  { organizationId, subject }: Caller,
  { sites }: Needs<'sites'>,
  siteId: string,
): Promise<SiteWithRepository> {
  const site = await registered.findSite(sites, { organizationId, siteId });
  subject.siteId = site.siteId;
  return registered.withRepository(site);
}

function requestFor(
  { organizationId, requestId, userId, keyId }: Caller,
  { site: { siteId, name: siteName }, fields, about, asked = fields }: AskedTask,
  { idempotencyKey, path }: Sent,
): StartRequest {
  return {
    task: { organizationId, siteId, siteName, ...fields, requestId },
    about: { ...defined({ ...about }), createdBy: makerOf({ userId, keyId }) },
    ...defined({ idempotencyKey }),
    bodyHash: hashOf({ organizationId }, { siteId }, asked),
    path,
  };
}

function hashOf(
  { organizationId }: Pick<Caller, 'organizationId'>,
  { siteId }: Pick<Site, 'siteId'>,
  asked: object,
): string {
  return createHash('sha256')
    .update(JSON.stringify({ organizationId, siteId, ...asked }))
    .digest('hex');
}

export const makerOf = ({ userId, keyId }: { userId?: string | undefined; keyId: string }): Maker =>
  userId === undefined ? { keyId } : { userId };
