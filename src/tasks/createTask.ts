import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { Site } from '../contract/site.ts';
import type { UsageLimits, PageItem, TaskWork } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { StartedTask } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import { refusePublishAtCreation } from '../sites/publishApproval.ts';
import { collectOpenNotes } from './openNotes.ts';
import type { NeededPorts } from './ports.ts';
import { requireResult } from './previews.ts';
import { foreignTaskError, nullIfNotFound } from './taskResults.ts';
import {
  checkCallback,
  findCallerSite,
  type RequestIdempotency,
  startTask,
  findStartedTask,
  type StartTaskPorts,
} from './startTask.ts';

/**
 * A request for a task: slugs are normalized, defaults are filled in, and null fields are left out.
 */
export type CreateTaskRequest = CommonTaskFields & (PromptFields | GeneratePagesFields);

interface CommonTaskFields {
  siteId: string;
  baseTaskId?: string;
  callbackUrl?: string;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  model?: string;
  budget?: Partial<UsageLimits>;
  title?: string;
  ask: 'allowed' | 'never';
}

interface PromptFields {
  command: 'prompt';
  prompt: string;
}

interface GeneratePagesFields {
  command: 'generate_pages';
  templatePageSlug: string;
  items: PageItem[];
  linkFrom?: string;
}

export type CreateTaskPorts = StartTaskPorts &
  NeededPorts<'assign' | 'noteStates' | 'deployments' | 'publications'>;

/**
 * Creates a task (docs/contract.md, section 5.1): checks the request, and starts the task's
 * workflow. A repeated request with the same idempotency key returns the first task.
 * @throws DomainError NOT_FOUND, INVALID_INPUT, INVALID_CALLBACK_URL, CONFLICT,
 *   SITE_WITHOUT_REPOSITORY, TOO_MANY_IN_FLIGHT, TOKENS_USED_UP
 */
export const createTask = (
  caller: RequestCaller,
  deps: CreateTaskPorts,
  request: CreateTaskRequest,
  idempotency: RequestIdempotency,
) => startTask(caller, deps, () => resolveTaskRequest(caller, deps, request), idempotency);

/**
 * The task that an equal request has created with the same idempotency key; null if there is none.
 * @throws DomainError as `createTask`
 */
export async function findCreatedTask(
  caller: RequestCaller,
  deps: CreateTaskPorts,
  request: CreateTaskRequest,
  idempotency: RequestIdempotency,
): Promise<StartedTask | null> {
  if (idempotency.idempotencyKey === undefined) return null;
  return findStartedTask(
    caller,
    deps,
    await resolveTaskRequest(caller, deps, request),
    idempotency,
  );
}

/**
 * Builds the task that a request asks for, without starting it. Checks the callback URL, the site,
 * its repository and the base task, in this order.
 */
export async function resolveTaskRequest(
  caller: RequestCaller,
  deps: CreateTaskPorts,
  request: CreateTaskRequest,
) {
  const { publish, onWarnings, callbackUrl, baseTaskId, model, budget, title } = request;
  const ask = request.ask === 'allowed' ? request.ask : undefined;
  const assignedAgent = deps.assign({ model, budget });
  await checkCallback(callbackUrl, deps);
  const site = await findCallerSite(caller, deps, request.siteId);
  refusePublishAtCreation(site, publish);
  const baseTask =
    baseTaskId === undefined ? undefined : await findBaseResult(deps, site, baseTaskId);
  const requestedFields = {
    ...withoutUndefined({ publish, callbackUrl, baseTask, work: workOfRequest(request) }),
    ...(onWarnings === 'hold' && { onWarnings }),
    ...withoutUndefined({ ask }),
  };
  const baseTaskNotes =
    publish && baseTask ? await collectBaseNotes(deps, caller, baseTask.taskId) : [];
  return {
    site,
    fields: {
      ...requestedFields,
      ...assignedAgent,
      ...(baseTaskNotes.length > 0 && { baseTaskNotes }),
    },
    about: { title, follows: baseTaskId },
    comparedRequest: { ...requestedFields, ...withoutUndefined({ model, budget, title }) },
  };
}

/**
 * Collects the open notes (what people should check) of the base task and of the tasks that it
 * builds on. A publish puts all of these live too. Empty if the base task is live.
 */
async function collectBaseNotes(deps: CreateTaskPorts, caller: RequestCaller, baseTaskId: string) {
  const isLive = (await deps.publications.of([baseTaskId])).has(baseTaskId);
  return isLive ? [] : collectOpenNotes(deps, caller, baseTaskId);
}

/**
 * The result to build on. undefined if neither the base task nor the tasks that it builds on
 * changed anything.
 */
async function findBaseResult(
  deps: CreateTaskPorts,
  { organizationId, siteId }: Site,
  baseTaskId: string,
) {
  const baseTask = await deps.tasks.find(organizationId, baseTaskId).catch(nullIfNotFound);
  if (!baseTask) throw new DomainError('NOT_FOUND', 'Base task not found');
  if (baseTask.siteId !== siteId) throw foreignTaskError('baseTaskId');
  if (!baseTask.finished)
    throw new DomainError('CONFLICT', 'The base task is still running. Wait until it has finished');
  if (baseTask.finished.status === 'failed')
    throw new DomainError('CONFLICT', 'The base task failed, so it has no result to build on');
  const { result } = baseTask.finished;
  if (result) await requireResult(deps, result.taskId);
  return result;
}

function workOfRequest(request: CreateTaskRequest): TaskWork {
  if (request.command === 'prompt') return { type: 'prompt', prompt: request.prompt };
  const items = request.items.map(({ targetPageSlug, context, externalId, facts }) =>
    withoutUndefined({ targetPageSlug, context, externalId, facts }),
  );
  const { templatePageSlug, linkFrom } = request;
  return { type: 'generate_pages', templatePageSlug, items, ...withoutUndefined({ linkFrom }) };
}
