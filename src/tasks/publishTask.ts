import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { PublishWork, TaskOutput } from '../contract/task.ts';
import { publishTitle } from '../contract/text/taskTitles.ts';
import type { StartedTask } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import { requireApproval } from './approvals/requireApproval.ts';
import { leaveOutPages, selectLeftOut } from './leaveOutPages.ts';
import { collectOpenNotes } from './openNotes.ts';
import { requireResult } from './previews.ts';
import { isEditedSince, presentPublication } from './publications.ts';
import { takeOverBaseVersions } from './taskVersions.ts';
import {
  requireCompleted,
  taskConflict,
  externalIdsBySlug,
  changedPagesOf,
} from './taskResults.ts';
import {
  type ResolvedTask,
  checkCallback,
  findCallerSite,
  type FollowUpPorts,
  type RequestIdempotency,
  startResolvedTask,
  findStartedTask,
  orStartFailed,
} from './startTask.ts';

/** A request for a task that publishes or retries another one. */
export interface FollowUpRequest {
  /** The other task. */
  taskId: string;
  callbackUrl?: string;
  title?: string;
}

/** A request for a task that publishes another one. */
export interface PublishTaskRequest extends FollowUpRequest {
  /**
   * Slugs of pages that do not go live. Absent: those that somebody marked so in the review, and
   * has not put back.
   */
  leaveOut?: string[];
}

/**
 * Starts a task that puts another task's result live, without the pages that are left out. A
 * repeated request with the same idempotency key gets the first answer, even though the result is
 * live by then.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish, INVALID_CALLBACK_URL
 */
export const startPublishTask = (
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: PublishTaskRequest,
  idempotency: RequestIdempotency,
) =>
  orStartFailed(async (): Promise<StartedTask> => {
    const startedTask = await findStartedPublish(caller, deps, request, idempotency);
    return (
      startedTask ??
      startResolvedTask(caller, deps, await resolvePublish(caller, deps, request), idempotency)
    );
  });

/**
 * The publish that an equal request has started with the same idempotency key; null if there is
 * none.
 * @throws DomainError NOT_FOUND
 */
export async function findStartedPublish(
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: PublishTaskRequest,
  idempotency: RequestIdempotency,
): Promise<StartedTask | null> {
  const { siteId } = await deps.tasks.find(caller.organizationId, request.taskId);
  const site = await findCallerSite(caller, deps, siteId);
  return findStartedTask(
    caller,
    deps,
    { site, comparedRequest: comparedPublish(request) },
    idempotency,
  );
}

const comparedPublish = ({
  taskId: publishOf,
  callbackUrl,
  title,
  leaveOut,
}: PublishTaskRequest) => ({
  publishOf,
  callbackUrl,
  title,
  leaveOut,
});

/**
 * Builds the publish task.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish
 */
async function resolvePublish(
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: PublishTaskRequest,
): Promise<ResolvedTask> {
  const { taskId, callbackUrl, title } = request;
  await checkCallback(callbackUrl, deps);
  const { task, site, output, result } = await findPublishableTask(caller, deps, taskId);
  const leftOut = await selectLeftOut(
    deps,
    { output, resultTaskId: result.taskId },
    request.leaveOut,
  );
  await takeOverBaseVersions(caller, deps, taskId);
  await leaveOutPages(caller, deps, taskId, leftOut);
  await requireApproval(deps, site, { commit: result.commit, retainedBy: result.taskId });
  const ownPages = changedPagesOf(output)
    .map(({ slug }) => slug)
    .filter((slug) => !leftOut.includes(slug));
  const notes = (await collectOpenNotes(deps, caller, taskId)).filter(
    ({ page }) => page === undefined || !leftOut.includes(page),
  );
  const name = title ?? task.title;
  const work: PublishWork = {
    type: 'publish',
    name,
    result,
    externalIds: externalIdsBySlug(output),
    ownPages,
    notes,
  };
  const fields = withoutUndefined({ publish: true, callbackUrl, work });
  const about = { title: title ?? publishTitle(task.title), follows: taskId };
  return { site, fields, about, comparedRequest: comparedPublish(request) };
}

/**
 * Finds a task whose result can go live.
 * @throws DomainError NOT_FOUND, CONFLICT if there is nothing to publish
 */
export async function findPublishableTask(
  caller: RequestCaller,
  deps: FollowUpPorts,
  taskId: string,
) {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const site = await findCallerSite(caller, deps, task.siteId);
  const { output, result } = requireCompleted(task);
  if (!result || changesNothing(output))
    throw taskConflict('The task changed nothing, so there is nothing to publish');
  await requireResult(deps, result.taskId);
  await refusePublished(deps, result.taskId);
  return { task, site, output, result };
}

export const ALREADY_PUBLISHED = 'The task is already published';

/** Refuses to publish a result again unless it was edited by hand since. */
async function refusePublished(deps: FollowUpPorts, taskId: string): Promise<void> {
  const published = (await deps.publications.of([taskId])).get(taskId);
  if (!published || isEditedSince(taskId, await deps.deployments.preview(taskId), published))
    return;
  if (presentPublication(published).state !== 'replaced') throw taskConflict(ALREADY_PUBLISHED);
  throw taskConflict('The task was published and replaced later. Restore its deployment instead');
}

const changesNothing = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  pagesCreated.length + pagesModified.length + pagesDeleted.length === 0;
