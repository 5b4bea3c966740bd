import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

/**
 * Takes back what the preview of a failed task put to the repository: its branch and pull request.
 * Repeatable.
 */
export function createDeletePreview(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async ({ task }: { task: TaskRef }): Promise<void> => {
    const { site } = await openSite(deps, task);
    await deps.hosting.endPreview({ site, taskId: task.taskId });
  };
}
