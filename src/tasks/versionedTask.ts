import { outcomeNotes } from '../contract/task.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { requireResult } from './previews.ts';
import { changedPagesOf, requireCompleted, taskConflict } from './taskResults.ts';

/** A completed task with a result, and what the editor needs of it. */
export interface VersionedTask {
  task: TaskRecord;
  result: EditableTask;
}

/**
 * Finds the task whose hidden ref has a task's result, and so its versions: for a publish task, the
 * task that it published.
 * @throws DomainError NOT_FOUND; CONFLICT if the task runs, failed or changed nothing, or if its
 *   result is no longer kept
 */
export async function findVersionedTask(
  { organizationId, logContext }: RequestCaller,
  deps: NeededPorts<'tasks' | 'deployments'>,
  taskId: string,
): Promise<VersionedTask> {
  const namedTask = await deps.tasks.find(organizationId, taskId);
  logContext.siteId = namedTask.siteId;
  const holderId = requireCompleted(namedTask, 'change').result?.taskId;
  if (holderId === undefined) throw taskConflict('The task changed nothing, so it has no versions');
  const task = holderId === taskId ? namedTask : await deps.tasks.find(organizationId, holderId);
  await requireResult(deps, holderId);
  const preview = await deps.deployments.preview(holderId);
  return { task, result: versionedResult(task, { isPreviewGone: !preview?.isShown }) };
}

/** What the editor needs of a completed task. @throws DomainError CONFLICT without a result */
export function versionedResult(
  task: TaskRecord,
  { isPreviewGone }: { isPreviewGone: boolean },
): EditableTask {
  const { taskId, organizationId, siteId, finished } = task;
  const { result, output } = requireCompleted(task, 'change');
  if (!result) throw taskConflict('The task changed nothing, so it has no versions');
  return {
    taskId,
    organizationId,
    siteId,
    commit: result.commit,
    pages: changedPagesOf(output).map(({ slug, previewUrl }) => ({ slug, previewUrl })),
    notes: outcomeNotes(finished),
    isPreviewGone,
  };
}

/**
 * Refuses to change a result that is being published.
 * @throws DomainError CONFLICT
 */
export async function refuseWhilePublishing(
  { organizationId }: RequestCaller,
  { tasks }: NeededPorts<'tasks'>,
  { task: { taskId, siteId } }: Pick<VersionedTask, 'task'>,
): Promise<void> {
  const running = await tasks.list({
    organizationId,
    siteId,
    status: 'running',
    type: 'publish',
    limit: 100,
  });
  if (running.tasks.some(({ follows }) => follows === taskId))
    throw taskConflict('The task is being published. Wait until that has ended');
}
