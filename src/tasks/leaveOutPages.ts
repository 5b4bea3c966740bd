import type { TaskOutput } from '../contract/task.ts';
import { invalidInputError } from '../errors.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { leftOutSlugs } from './reviews/leftOutSlugs.ts';
import { taskCreator } from './startTask.ts';
import { changedPagesOf, requireCompleted, taskConflict } from './taskResults.ts';
import { findVersionedTask, refuseWhilePublishing } from './versionedTask.ts';

type LeaveOutPorts = NeededPorts<'tasks' | 'deployments' | 'editing' | 'pageMarks'>;

/**
 * The pages of a task that publishing it leaves out: those of the request, or else those that
 * somebody marked so in the review.
 * @param requested the slugs of the request
 * @throws DomainError INVALID_INPUT for a page that the task did not create or modify; CONFLICT for
 *   a new page of a task that also deletes pages
 */
export async function selectLeftOut(
  deps: NeededPorts<'pageMarks'>,
  { output, resultTaskId }: { output: TaskOutput; resultTaskId: string },
  requested?: string[],
): Promise<string[]> {
  const slugs = new Set(changedPagesOf(output).map(({ slug }) => slug));
  const unknownSlug = requested?.find((slug) => !slugs.has(slug));
  if (unknownSlug !== undefined)
    throw invalidInputError(
      `leaveOut must name pages that the task created or modified: ${unknownSlug} is not one of them`,
    );
  const leftOut = slugs.intersection(
    requested ? new Set(requested) : await leftOutSlugs(deps, resultTaskId),
  );
  const newPage = output.pagesCreated.find(({ slug }) => leftOut.has(slug));
  if (newPage && output.pagesDeleted.length > 0)
    throw taskConflict(
      `The task also deletes pages, which ${newPage.slug} may replace, so it can't be left out`,
    );
  return [...leftOut];
}

/**
 * Leaves pages out of a task's result, as a version of it.
 * @throws DomainError as `findVersionedTask`; CONFLICT while the task is being published, or if no
 *   changed page is left
 */
export async function leaveOutPages(
  caller: RequestCaller,
  deps: LeaveOutPorts,
  taskId: string,
  slugs: string[],
): Promise<void> {
  if (slugs.length === 0) return;
  const versionedTask = await findVersionedTask(caller, deps, taskId);
  await refuseWhilePublishing(caller, deps, versionedTask);
  const { task, result } = versionedTask;
  const { root } = requireCompleted(task).result!;
  await deps.editing.editor.omit(result, { slugs, root, by: taskCreator(caller) });
}

/** The pages of a task that its result lacks, because a publish left them out before. */
export async function findLeftOutBefore(
  caller: RequestCaller,
  deps: LeaveOutPorts,
  taskId: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const { result } = await findVersionedTask(caller, deps, taskId);
  const slugs = result.pages.map(({ slug }) => slug);
  return deps.editing.editor.missing(result, slugs, signal);
}
