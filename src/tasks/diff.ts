import { TASK_RUNNING, type TaskResult } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { SiteDiff } from '../sites/pages/siteDiff.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { requireResult, shownCommit } from './previews.ts';
import { findCallerSite } from './startTask.ts';

export type DiffPorts = NeededPorts<'tasks' | 'sites' | 'deployments' | 'publications' | 'diffs'>;

/**
 * A task's changes, and the commits that were compared. `commits` is null if it changed nothing.
 */
export interface TaskDiff {
  commits: { base: string; commit: string } | null;
  diff: SiteDiff;
}

/**
 * Compares a task's result with the commit that it began from, and the texts of new pages with
 * those of their template. For a publish task, compares it with what was live before.
 * @throws DomainError NOT_FOUND, CONFLICT, or an error of reading a site
 */
export async function readDiff(
  caller: RequestCaller,
  deps: DiffPorts,
  taskId: string,
  jobOwner: JobOwner,
): Promise<TaskDiff> {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const result = ownResult(task);
  if (!result) return { commits: null, diff: { patch: '', pages: [], warnings: [] } };
  await requireResult(deps, result.taskId);
  const site = await findCallerSite(caller, deps, task.siteId);
  const resultShown = await shownCommit(deps, task.taskId, result);
  const base =
    task.type === 'publish'
      ? await commitLiveBefore(deps, task.taskId, result)
      : (resultShown.base ?? result.base);
  const diff = await deps.diffs.read(
    site,
    {
      before: { commit: base, retainedBy: result.taskId },
      after: resultShown,
      ...(task.template !== undefined && { template: task.template }),
    },
    jobOwner,
  );
  return { commits: { base, commit: resultShown.commit }, diff };
}

/**
 * The commit to compare a publish task's result with: what was live before it, or, if it has not
 * gone live, the commit from which its lowest base task began.
 */
async function commitLiveBefore(
  { publications }: DiffPorts,
  taskId: string,
  { root }: TaskResult,
): Promise<string> {
  return (await publications.of([taskId])).get(taskId)?.base ?? root;
}

/**
 * A task's own result. A task that builds on another one and changed nothing carries the other's
 * result, which does not count.
 */
function ownResult({ taskId, type, finished }: TaskRecord): TaskResult | undefined {
  if (!finished) throw new DomainError('CONFLICT', TASK_RUNNING);
  if (finished.status === 'failed')
    throw new DomainError('CONFLICT', 'The task failed, so there is nothing to compare');
  const { result } = finished;
  return type === 'publish' || result?.taskId === taskId ? result : undefined;
}
