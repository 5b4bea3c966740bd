import { defined } from '../contract/defined.ts';
import type { Site } from '../contract/site.ts';
import type { Budget, PageItem, TaskWork } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { StartedTask } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { notesDownFrom } from './openNotes.ts';
import type { Needs } from './ports.ts';
import { requireResult } from './previews.ts';
import { nullIfNotFound } from './results.ts';
import {
  checkCallback,
  findSite,
  type Sent,
  start,
  startedBefore,
  type StartDeps,
} from './start.ts';

/**
 * A request for a task: slugs are normalized, defaults are filled in, and null fields are left out.
 */
export type CreateRequest = CommonFields & (PromptFields | GeneratePagesFields);

interface CommonFields {
  siteId: string;
  baseTaskId?: string;
  callbackUrl?: string;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  model?: string;
  budget?: Partial<Budget>;
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

export type CreateDeps = StartDeps &
  Needs<'assign' | 'noteStates' | 'deployments' | 'publications'>;

/**
 * Creates a task (docs/contract.md, section 5.1).
 * @throws DomainError NOT_FOUND, INVALID_INPUT, INVALID_CALLBACK_URL, CONFLICT,
 *   SITE_WITHOUT_REPOSITORY, TOO_MANY_IN_FLIGHT, TOKENS_USED_UP
 */
export const create = (caller: Caller, deps: CreateDeps, request: CreateRequest, sent: Sent) =>
  start(caller, deps, () => askedTask(caller, deps, request), sent);

/**
 * The task that an equal request has created with the same idempotency key; null if there is none.
 * @throws DomainError as `create`
 */
export async function createdBefore(
  caller: Caller,
  deps: CreateDeps,
  request: CreateRequest,
  sent: Sent,
): Promise<StartedTask | null> {
  if (sent.idempotencyKey === undefined) return null;
  return startedBefore(caller, deps, await askedTask(caller, deps, request), sent);
}

/**
 * Builds the task that a request asks for. Checks callback URL, site, repository and base task, in
 * this order.
 */
export async function askedTask(caller: Caller, deps: CreateDeps, request: CreateRequest) {
  const { publish, onWarnings, callbackUrl, baseTaskId, model, budget, title } = request;
  const ask = request.ask === 'allowed' ? request.ask : undefined;
  const assigned = deps.assign({ model, budget });
  await checkCallback(callbackUrl, deps);
  const site = await findSite(caller, deps, request.siteId);
  const onto = baseTaskId === undefined ? undefined : await findBase(deps, site, baseTaskId);
  const asked = {
    ...defined({ publish, callbackUrl, onto, work: workOf(request) }),
    ...(onWarnings === 'hold' && { onWarnings }),
    ...defined({ ask }),
  };
  const ontoNotes = publish && onto ? await notesBelow(deps, caller, onto.taskId) : [];
  return {
    site,
    fields: { ...asked, ...assigned, ...(ontoNotes.length > 0 && { ontoNotes }) },
    about: { title, follows: baseTaskId },
    asked: { ...asked, ...defined({ model, budget, title }) },
  };
}

/**
 * Open notes on the base task and below, which a publish puts live too. Empty if the base task is
 * live.
 */
async function notesBelow(deps: CreateDeps, caller: Caller, baseTaskId: string) {
  const isLive = (await deps.publications.of([baseTaskId])).has(baseTaskId);
  return isLive ? [] : notesDownFrom(deps, caller, baseTaskId);
}

/**
 * The result to build on. undefined if neither the base task nor the tasks below it changed
 * anything.
 */
async function findBase(deps: CreateDeps, { organizationId, siteId }: Site, baseTaskId: string) {
  const base = await deps.tasks.find(organizationId, baseTaskId).catch(nullIfNotFound);
  if (!base) throw new DomainError('NOT_FOUND', 'Base task not found');
  if (base.siteId !== siteId)
    throw new DomainError('INVALID_INPUT', 'baseTaskId names a task of another site');
  if (!base.finished) throw new DomainError('CONFLICT', 'Base task is still running');
  if (base.finished.status === 'failed')
    throw new DomainError('CONFLICT', 'Base task failed: there is no result to work on top of');
  const { result } = base.finished;
  if (result) await requireResult(deps, result.taskId);
  return result;
}

function workOf(request: CreateRequest): TaskWork {
  if (request.command === 'prompt') return { type: 'prompt', prompt: request.prompt };
  const items = request.items.map(({ targetPageSlug, context, externalId, facts }) =>
    defined({ targetPageSlug, context, externalId, facts }),
  );
  const { templatePageSlug, linkFrom } = request;
  return { type: 'generate_pages', templatePageSlug, items, ...defined({ linkFrom }) };
}
