import type { ResultCommit } from '../contract/site.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { UpdateSource } from '../editor/resultVersions.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { nullIfNotFound } from './taskResults.ts';
import { versionedResult, type VersionedTask } from './versionedTask.ts';

const MOST_TASKS = 50;

/**
 * The unpublished tasks that a task builds on, nearest first. They go live with it. The search ends
 * at a published task, and at a task that Temporal no longer keeps.
 * @param baseTaskId the id of the base task, if there is one
 */
export async function findUnpublishedBases(
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

/** A task, and what its result takes over. */
export interface UpdateStep {
  task: TaskRecord;
  result: EditableTask;
  source: UpdateSource;
}

/**
 * What the results of a task and of its unpublished base tasks take over from each other: each
 * from its own base task, the lowest first. A task that changed nothing has its base task's result,
 * and a result that is no longer kept is left out.
 */
export async function findUpdateSources(
  { organizationId }: RequestCaller,
  deps: NeededPorts<'tasks' | 'publications' | 'deployments'>,
  { task, result }: VersionedTask,
): Promise<UpdateStep[]> {
  const steps: UpdateStep[] = [];
  let upper: Pick<UpdateStep, 'task' | 'result'> = { task, result };
  for (const base of await findUnpublishedBases(deps, organizationId, task.baseTaskId)) {
    const { finished } = base;
    if (finished?.status !== 'completed' || finished.result?.taskId !== base.taskId) continue;
    const preview = await deps.deployments.preview(base.taskId);
    if (!preview || preview.isGone) break;
    const { commit } = finished.result;
    const source: ResultCommit = { commit, retainedBy: base.taskId };
    steps.unshift({ ...upper, source });
    const lower = versionedResult(base, { isPreviewGone: !preview.isShown });
    upper = { task: base, result: lower };
  }
  return steps;
}
