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

/** What a task that follows another one is asked for. */
export interface FollowUp {
  /** The other one. */
  taskId: string;
  callbackUrl?: string;
  title?: string;
}

/**
 * Puts a task's result live, by a task of its own. Once it has succeeded, its repetition is not
 * told that the task is published, but what the first one was told.
 * @throws DomainError NOT_FOUND, CONFLICT where there is nothing to publish, INVALID_CALLBACK_URL
 */
export const publish = (caller: Caller, deps: FollowUpDeps, request: FollowUp, sent: Sent) =>
  startOrFail(async (): Promise<StartedTask> => {
    const { siteId } = await deps.tasks.find(caller.organizationId, request.taskId);
    const site = await findSite(caller, deps, siteId);
    const before = await startedBefore(caller, deps, { site, asked: askedOf(request) }, sent);
    return before ?? startAsked(caller, deps, await publishOf(caller, deps, request), sent);
  });

const askedOf = ({ taskId: publishOf, callbackUrl, title }: FollowUp) => ({
  publishOf,
  callbackUrl,
  title,
});

/**
 * A task that puts another one's result live. Throws NOT_FOUND, CONFLICT where there is nothing to
 * publish.
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
 * A task whose result can go live. Throws NOT_FOUND, CONFLICT where there is nothing to publish.
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

/** A result that went live goes live again only with what was edited by hand since. */
async function refusePublished(deps: FollowUpDeps, taskId: string): Promise<void> {
  const published = (await deps.publications.of([taskId])).get(taskId);
  if (!published || isEdited(taskId, await deps.deployments.preview(taskId), published)) return;
  if (presentPublication(published).state !== 'replaced')
    throw conflict('Task is already published');
  throw conflict('Task was published, and replaced since: put its deployment live again instead');
}

const isEmpty = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  pagesCreated.length + pagesModified.length + pagesDeleted.length === 0;
