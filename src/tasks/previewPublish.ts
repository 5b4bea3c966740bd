import { changedPageSlugs } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { PageLists } from '../hosting/siteComparison.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { findPublishableTask } from './publishTask.ts';
import { findRestorable } from './restoreTask.ts';
import { findCallerSite, type FollowUpPorts } from './startTask.ts';
import { nullIfNotFound } from './taskResults.ts';

/** Pages of a task that go live. */
interface PagesGoingLive {
  task: TaskRecord;
  /** Distinct slugs. */
  slugs: string[];
}

/** The changes that publishing a task would put live. */
export interface PublishPreview extends PagesGoingLive {
  /** The unpublished base tasks, with the pages that go live with them. */
  baseTasks: PagesGoingLive[];
  /** Changes that others pushed; null if the repository can't be read at the moment. */
  pushed: PageLists | null;
  /** Why the repository can't be read. null: it can. */
  unreadable: DomainError | null;
}

/**
 * Tells what publishing a task would put live, without publishing.
 * @throws DomainError as `startPublishTask`
 */
export async function previewPublish(
  caller: RequestCaller,
  deps: FollowUpPorts & NeededPorts<'siteComparison'>,
  taskId: string,
  jobOwner: JobOwner,
): Promise<PublishPreview> {
  const { task, site, output } = await findPublishableTask(caller, deps, taskId);
  const unpublishedBases = await findUnpublishedBases(deps, caller.organizationId, task.baseTaskId);
  const pushedPages = await deps.siteComparison
    .pushedChanges(site, jobOwner)
    .catch((error: unknown) => {
      // the publish itself reports problems with the repository
      if (error instanceof DomainError) return error;
      throw error;
    });
  return {
    task,
    slugs: uniqueSlugs(changedPageSlugs(output)),
    baseTasks: unpublishedBases.map(pagesGoingLive),
    ...(pushedPages instanceof DomainError
      ? { pushed: null, unreadable: pushedPages }
      : { pushed: pushedPages, unreadable: null }),
  };
}

function pagesGoingLive(task: TaskRecord): PagesGoingLive {
  const { finished } = task;
  return {
    task,
    slugs: finished?.status === 'completed' ? uniqueSlugs(changedPageSlugs(finished.output)) : [],
  };
}

const uniqueSlugs = (slugs: string[]) => [...new Set(slugs)];

/**
 * Tells what restoring a deployment would change on the live site.
 * @throws DomainError NOT_FOUND, CONFLICT, or an error of reading a site
 */
export async function previewRestore(
  caller: RequestCaller,
  deps: NeededPorts<'sites' | 'siteDeployments' | 'siteComparison'>,
  deploymentKey: { siteId: string; deploymentId: string },
  jobOwner: JobOwner,
) {
  const site = await findCallerSite(caller, deps, deploymentKey.siteId);
  const deployment = await findRestorable(deps, { ...deploymentKey, siteId: site.siteId });
  return {
    deployment,
    lists: await deps.siteComparison.restoredChanges(site, deployment.commit, jobOwner),
  };
}

const MOST_TASKS = 50;

/**
 * The unpublished tasks that a task builds on, nearest first. They go live with it. The search ends
 * at a published task, and at a task that Temporal no longer keeps.
 * @param baseTaskId the id of the base task, if there is one
 */
async function findUnpublishedBases(
  { tasks, publications }: NeededPorts<'tasks' | 'publications'>,
  organizationId: string,
  baseTaskId: string | undefined,
): Promise<TaskRecord[]> {
  const unpublishedBases: TaskRecord[] = [];
  for (
    let nextTaskId = baseTaskId;
    nextTaskId !== undefined && unpublishedBases.length < MOST_TASKS;
  ) {
    if ((await publications.of([nextTaskId])).has(nextTaskId)) break;
    const task: TaskRecord | null = await tasks
      .find(organizationId, nextTaskId)
      .catch(nullIfNotFound);
    if (!task) break;
    unpublishedBases.push(task);
    nextTaskId = task.baseTaskId;
  }
  return unpublishedBases;
}
