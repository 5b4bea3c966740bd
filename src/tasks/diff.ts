import type { TaskResult } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { SiteDiff } from '../sites/pages/siteDiff.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Work } from '../threads/threads.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { requireResult } from './previews.ts';
import { findSite } from './start.ts';

export type DiffDeps = Needs<'tasks' | 'sites' | 'deployments' | 'publications' | 'diffs'>;

/** What a task changed, between which commits; these are null where it changed nothing. */
export interface TaskDiff {
  commits: { base: string; commit: string } | null;
  diff: SiteDiff;
}

/**
 * Compares a task's result with what it began on. @throws DomainError NOT_FOUND, CONFLICT, those of
 * reading a site
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
  const after = (await deps.deployments.preview(task.taskId)) ?? {
    commit: result.commit,
    heldBy: result.taskId,
  };
  const diff = await deps.diffs.read(
    site,
    { before: { commit: base, heldBy: result.taskId }, after },
    work,
  );
  return { commits: { base, commit: after.commit }, diff };
}

/**
 * What a publish was merged against: what was live already of the tasks that its result is built
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
 * A task that worked on top of another one and changed nothing has the other's result: none of its
 * own.
 */
function ownResultOf({ taskId, type, finished }: TaskRecord): TaskResult | undefined {
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  if (finished.status === 'failed')
    throw new DomainError('CONFLICT', 'Task failed: there is nothing to compare');
  const { result } = finished;
  return type === 'publish' || result?.taskId === taskId ? result : undefined;
}
