import { limits } from '../contract/task.ts';
import { createHash } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { Creator } from '../contract/creator.ts';
import type { Site, SiteWithRepository } from '../contract/site.ts';
import type { TaskInput } from '../contract/task.ts';
import { DomainError, errorCodes } from '../errors.ts';
import * as registered from '../sites/git/registeredSite.ts';
import type { StartedTask, StartRequest } from '../temporal/tasks/taskService.ts';
import { refusePublishAtCreation } from '../sites/publishApproval.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';

export type StartTaskPorts = NeededPorts<'sites' | 'checkCallbackUrl' | 'tasks' | 'tokenLimits'>;

/** Dependencies of the use cases that make a new task from an existing one. */
export type FollowUpPorts = StartTaskPorts &
  NeededPorts<
    | 'publications'
    | 'deployments'
    | 'noteStates'
    | 'editing'
    | 'pageMarks'
    | 'creators'
    | 'approvals'
    | 'readCurrentVersion'
  >;

/** A task to start, built from a request. */
export interface ResolvedTask {
  site: Pick<Site, 'siteId' | 'name' | 'publishApproval'>;
  fields: Pick<
    TaskInput,
    | 'publish'
    | 'onWarnings'
    | 'callbackUrl'
    | 'baseTask'
    | 'baseTaskNotes'
    | 'model'
    | 'budget'
    | 'ask'
    | 'work'
  >;
  /**
   * `title`: absent for the default title. `follows`: the task that this one publishes, retries or
   * builds on.
   */
  about?: { title?: string | undefined; follows?: string | undefined; group?: string | undefined };
  /** The task's id, if its commit was made before the task. */
  taskId?: string;
  /**
   * What the client sent. Absent: the same as `fields`. It is hashed, to recognize a repeated
   * request: the order of its fields is fixed, so that equal requests have equal hashes.
   */
  comparedRequest?: object;
}

/**
 * Starts the task that a request asks for. All use cases that start a task call this function or
 * `startResolvedTask`.
 * @param resolveTask builds the task, or throws if the request is not valid
 * @throws DomainError START_FAILED if a valid request can't become a task; TOKENS_USED_UP if its
 *   language model may use no more tokens, unless an equal request has started it before
 */
export const startTask = (
  caller: RequestCaller,
  deps: StartTaskPorts,
  resolveTask: () => Promise<ResolvedTask>,
  idempotency: RequestIdempotency,
) =>
  orStartFailed(async () => {
    const task = await resolveTask();
    const refusal = await tokenRefusal(caller, deps, task);
    if (refusal === undefined) return startResolvedTask(caller, deps, task, idempotency);
    const startedEarlier = await findStartedTask(
      caller,
      deps,
      { comparedRequest: task.fields, ...task },
      idempotency,
    );
    if (startedEarlier) return startedEarlier;
    throw new DomainError('TOKENS_USED_UP', refusal);
  });

const tokenRefusal = async (
  { organizationId }: RequestCaller,
  { tokenLimits }: StartTaskPorts,
  { fields: { model } }: ResolvedTask,
) => (model === undefined ? undefined : tokenLimits.refusal(organizationId));

/** How a request to start a task was sent. */
export interface RequestIdempotency {
  idempotencyKey: string | undefined;
  /** The path of the request: reusing the key for another path is refused. */
  path: string;
}

/**
 * Starts a task that is already built and checked. Refuses one that would publish without the
 * approval that the site needs. A publish task was checked before, and a restored deployment has
 * been live.
 * @throws DomainError as `TaskService.start`; APPROVAL_REQUIRED
 */
export async function startResolvedTask(
  caller: RequestCaller,
  { tasks }: NeededPorts<'tasks'>,
  task: ResolvedTask,
  idempotency: RequestIdempotency,
): Promise<StartedTask> {
  const { publish, work } = task.fields;
  refusePublishAtCreation(task.site, publish && !publishesEarlierResult(work));
  const startedTask = await tasks.start(startRequestOf(caller, task, idempotency));
  caller.logContext.taskId = startedTask.taskId;
  return startedTask;
}

const publishesEarlierResult = ({ type }: TaskInput['work']) =>
  type === 'publish' || type === 'restore';

/**
 * The task that an equal request has started with the same idempotency key; null if there is none.
 */
export async function findStartedTask(
  caller: RequestCaller,
  { tasks }: NeededPorts<'tasks'>,
  { site, comparedRequest }: Required<Pick<ResolvedTask, 'site' | 'comparedRequest'>>,
  { idempotencyKey, path }: RequestIdempotency,
): Promise<StartedTask | null> {
  if (idempotencyKey === undefined) return null;
  const { organizationId } = caller;
  return tasks.startedBefore({
    organizationId,
    idempotencyKey,
    bodyHash: requestHash(caller, site, comparedRequest),
    path,
  });
}

/**
 * Runs the start of a task. Turns an unexpected failure into START_FAILED. Rethrows errors of the
 * request, which have an HTTP status below 500.
 */
export async function orStartFailed<T>(beginStart: () => Promise<T>): Promise<T> {
  try {
    return await beginStart();
  } catch (error) {
    if (error instanceof DomainError && errorCodes[error.code] < 500) throw error;
    const reason = error instanceof DomainError ? error.reason : undefined;
    throw new DomainError('START_FAILED', 'Failed to start task', {
      cause: error,
      ...withoutUndefined({ reason }),
    });
  }
}

/**
 * Checks a callback URL (docs/contract.md, section 7.2).
 * @throws DomainError INVALID_CALLBACK_URL
 */
export async function checkCallback(
  url: string | undefined,
  { checkCallbackUrl }: NeededPorts<'checkCallbackUrl'>,
): Promise<void> {
  if (url === undefined) return;
  if (url.length > limits.callbackUrlLength)
    throw new DomainError(
      'INVALID_CALLBACK_URL',
      `Callback URL is longer than ${limits.callbackUrlLength} characters`,
    );
  await checkCallbackUrl(url);
}

/**
 * Finds the organization's site, which must have a repository.
 * @throws DomainError NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
export async function findCallerSite(
  { organizationId, logContext }: RequestCaller,
  { sites }: NeededPorts<'sites'>,
  siteId: string,
): Promise<SiteWithRepository> {
  const site = await registered.findSite(sites, { organizationId, siteId });
  logContext.siteId = site.siteId;
  return registered.requireRepository(site);
}

function startRequestOf(
  { organizationId, requestId, userId, keyId }: RequestCaller,
  { site: { siteId, name: siteName }, fields, about, taskId, ...task }: ResolvedTask,
  { idempotencyKey, path }: RequestIdempotency,
): StartRequest {
  const { comparedRequest = fields } = task;
  return {
    task: { organizationId, siteId, siteName, ...fields, requestId },
    about: { ...withoutUndefined({ ...about }), createdBy: taskCreator({ userId, keyId }) },
    ...withoutUndefined({ idempotencyKey, taskId }),
    bodyHash: requestHash({ organizationId }, { siteId }, comparedRequest),
    path,
  };
}

function requestHash(
  { organizationId }: Pick<RequestCaller, 'organizationId'>,
  { siteId }: Pick<Site, 'siteId'>,
  comparedRequest: object,
): string {
  return createHash('sha256')
    .update(JSON.stringify({ organizationId, siteId, ...comparedRequest }))
    .digest('hex');
}

/** Who created a task: the person, or the API key of a program. */
export const taskCreator = ({
  userId,
  keyId,
}: {
  userId?: string | undefined;
  keyId: string;
}): Creator => (userId === undefined ? { keyId } : { userId });
