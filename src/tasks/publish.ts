import { defined } from '../contract/defined.ts';
import type { PublishWork, TaskOutput } from '../contract/task.ts';
import { publishTitle } from '../contract/title.ts';
import type { StartedTask } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { notesDownFrom } from './openNotes.ts';
import { requireResult } from './previews.ts';
import { isEdited, presentPublication } from './publications.ts';
import { completed, conflict, externalIdsOf, pagesOf } from './results.ts';
import {
  type AskedTask,
  checkCallback,
  findSite,
  type FollowUpDeps,
  type Sent,
  startAsked,
  startedBefore,
  startOrFail,
} from './start.ts';

/** A request for a task that publishes, retries or drops from another one. */
export interface FollowUp {
  /** The other task. */
  taskId: string;
  callbackUrl?: string;
  title?: string;
}

/**
 * Starts a task that puts another task's result live. A repeated request with the same idempotency
 * key gets the first answer, even though the result is live by then.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish, INVALID_CALLBACK_URL
 */
export const publish = (caller: Caller, deps: FollowUpDeps, request: FollowUp, sent: Sent) =>
  startOrFail(async (): Promise<StartedTask> => {
    const before = await publishedBefore(caller, deps, request, sent);
    return before ?? startAsked(caller, deps, await publishOf(caller, deps, request), sent);
  });

/**
 * The publish that an equal request has started with the same idempotency key; null if there is
 * none.
 * @throws DomainError NOT_FOUND
 */
export async function publishedBefore(
  caller: Caller,
  deps: FollowUpDeps,
  request: FollowUp,
  sent: Sent,
): Promise<StartedTask | null> {
  const { siteId } = await deps.tasks.find(caller.organizationId, request.taskId);
  const site = await findSite(caller, deps, siteId);
  return startedBefore(caller, deps, { site, asked: askedOf(request) }, sent);
}

const askedOf = ({ taskId: publishOf, callbackUrl, title }: FollowUp) => ({
  publishOf,
  callbackUrl,
  title,
});

/**
 * Builds the publish task.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish
 */
async function publishOf(
  caller: Caller,
  deps: FollowUpDeps,
  request: FollowUp,
): Promise<AskedTask> {
  const { taskId, callbackUrl, title } = request;
  await checkCallback(callbackUrl, deps);
  const { task, site, output, result } = await publishableTask(caller, deps, taskId);
  const ownPages = pagesOf(output).map(({ slug }) => slug);
  const notes = await notesDownFrom(deps, caller, taskId);
  const name = title ?? task.title;
  const work: PublishWork = {
    type: 'publish',
    name,
    result,
    externalIds: externalIdsOf(output),
    ownPages,
    notes,
  };
  const fields = defined({ publish: true, callbackUrl, work });
  const about = { title: title ?? publishTitle(task.title), follows: taskId };
  return { site, fields, about, asked: askedOf(request) };
}

/**
 * Finds a task whose result can go live.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish
 */
export async function publishableTask(caller: Caller, deps: FollowUpDeps, taskId: string) {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const site = await findSite(caller, deps, task.siteId);
  const { output, result } = completed(task);
  if (!result || isEmpty(output))
    throw conflict('Task changed nothing: there is nothing to publish');
  await requireResult(deps, result.taskId);
  await refusePublished(deps, result.taskId);
  return { task, site, output, result };
}

/** Refuses to publish a result again unless it was edited by hand since. */
async function refusePublished(deps: FollowUpDeps, taskId: string): Promise<void> {
  const published = (await deps.publications.of([taskId])).get(taskId);
  if (!published || isEdited(taskId, await deps.deployments.preview(taskId), published)) return;
  if (presentPublication(published).state !== 'replaced')
    throw conflict('Task is already published');
  throw conflict('Task was published, and replaced since: put its deployment live again instead');
}

const isEmpty = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  pagesCreated.length + pagesModified.length + pagesDeleted.length === 0;
