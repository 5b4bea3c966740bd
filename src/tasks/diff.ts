import type { TaskResult } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { SiteDiff } from '../sites/pages/siteDiff.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Work } from '../threads/threads.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { requireResult, shownCommit } from './previews.ts';
import { findSite } from './start.ts';

export type DiffDeps = Needs<'tasks' | 'sites' | 'deployments' | 'publications' | 'diffs'>;

/** A task's changes, and the commits that were compared: null if it changed nothing. */
export interface TaskDiff {
  commits: { base: string; commit: string } | null;
  diff: SiteDiff;
}

/**
 * Compares a task's result with the commit that it began from.
 * @throws DomainError NOT_FOUND, CONFLICT, or an error of reading a site
 */
export async function readDiff(
  caller: Caller,
  deps: DiffDeps,
  taskId: string,
  work: Work,
): Promise<TaskDiff> {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const result = ownResultOf(task);
  if (!result) return { commits: null, diff: { patch: '', pages: [], warnings: [] } };
  await requireResult(deps, result.taskId);
  const site = await findSite(caller, deps, task.siteId);
  const base = task.type === 'publish' ? await liveBefore(deps, task.taskId, result) : result.base;
  const after = await shownCommit(deps, task.taskId, result);
  const diff = await deps.diffs.read(
    site,
    { before: { commit: base, heldBy: result.taskId }, after },
    work,
  );
  return { commits: { base, commit: after.commit }, diff };
}

/**
 * The commit to compare a publish with: what was live before, of the tasks that its result builds
 * on.
 */
async function liveBefore(
  { publications }: DiffDeps,
  taskId: string,
  { root }: TaskResult,
): Promise<string> {
  return (await publications.of([taskId])).get(taskId)?.base ?? root;
}

/**
 * A task's own result. A task that builds on another one and changed nothing carries the other's
 * result, which does not count.
 */
function ownResultOf({ taskId, type, finished }: TaskRecord): TaskResult | undefined {
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  if (finished.status === 'failed')
    throw new DomainError('CONFLICT', 'Task failed: there is nothing to compare');
  const { result } = finished;
  return type === 'publish' || result?.taskId === taskId ? result : undefined;
}
