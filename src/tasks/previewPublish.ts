import { changedPageSlugs } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { PageLists } from '../hosting/siteComparison.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { findLeftOutBefore, selectLeftOut } from './leaveOutPages.ts';
import { findPublishableTask, type PublishTaskRequest } from './publishTask.ts';
import { findRestorable } from './restoreTask.ts';
import { findCallerSite, type FollowUpPorts } from './startTask.ts';
import { requireCompleted } from './taskResults.ts';
import { findUnpublishedBases, findUpdateSources, type UpdateStep } from './baseVersions.ts';
import { findVersionedTask } from './versionedTask.ts';

/** Pages of a task that go live. */
interface PagesGoingLive {
  task: TaskRecord;
  /** Distinct slugs. */
  slugs: string[];
}

/** The changes that publishing a task would put live. */
export interface PublishPreview extends PagesGoingLive {
  /** The pages of the task that do not go live, because they are left out. */
  leftOut: string[];
  /** The unpublished base tasks, with the pages that go live with them. */
  baseTasks: PagesGoingLive[];
  /** Changes that others pushed; null if the repository can't be read at the moment. */
  pushed: PageLists | null;
  /** Why the repository can't be read. null: it can. */
  unreadable: DomainError | null;
  /** Conflicts that a person has to decide before the task can go live. */
  conflicts: UpdateConflict[];
}

const CONFLICTS_MS = 20_000;

/**
 * Tells what publishing a task would put live, without publishing.
 * @param request.leaveOut as for `startPublishTask`
 * @throws DomainError as `startPublishTask`
 */
export async function previewPublish(
  caller: RequestCaller,
  deps: FollowUpPorts & NeededPorts<'siteComparison'>,
  { taskId, leaveOut }: Pick<PublishTaskRequest, 'taskId' | 'leaveOut'>,
  jobOwner: JobOwner,
): Promise<PublishPreview> {
  const { task, site, output, result } = await findPublishableTask(caller, deps, taskId);
  const leftOut = new Set([
    ...(await selectLeftOut(deps, { output, resultTaskId: result.taskId }, leaveOut)),
    ...(await findLeftOutBefore(caller, deps, taskId, jobOwner.signal).catch(emptyIfUnreadable)),
  ]);
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
    slugs: uniqueSlugs(changedPageSlugs(output)).filter((slug) => !leftOut.has(slug)),
    leftOut: [...leftOut],
    baseTasks: unpublishedBases.map(pagesGoingLive),
    conflicts: await findConflicts(caller, deps, taskId, jobOwner),
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

/** For `catch`: the publish itself reports problems with the repository. */
function emptyIfUnreadable(error: unknown): string[] {
  if (error instanceof DomainError) return [];
  throw error;
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

/** Pages that both a task and what it takes over have changed, so that a person must choose. */
export interface UpdateConflict {
  /** The task that has to be updated: the one to publish, or one of its base tasks. */
  taskId: string;
  /** The base task that changed the pages too; null: the production branch. */
  baseTaskId: string | null;
  pages: string[];
}

/** The pages whose versions can't be merged when the task goes live. */
async function findConflicts(
  caller: RequestCaller,
  deps: FollowUpPorts,
  taskId: string,
  { signal }: JobOwner,
): Promise<UpdateConflict[]> {
  const versionedTask = await findVersionedTask(caller, deps, taskId);
  const root = requireCompleted(versionedTask.task).result!.root;
  const steps: UpdateStep[] = [
    ...(await findUpdateSources(caller, deps, versionedTask)),
    { ...versionedTask, source: 'production' },
  ];
  const conflicts: UpdateConflict[] = [];
  for (const { task, result, source } of steps) {
    const pages = await deps.editing.editor
      .conflicts(result, { source, root }, signal ?? AbortSignal.timeout(CONFLICTS_MS))
      .catch(emptyIfUnreadable);
    const baseTaskId = source === 'production' ? null : source.retainedBy;
    if (pages.length > 0) conflicts.push({ taskId: task.taskId, baseTaskId, pages });
  }
  return conflicts;
}
