import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

/**
 * Removes the branch and the pull request with which a task that failed or was cancelled showed its
 * preview. Repeatable.
 */
export function createDeletePreview(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async ({ task }: { task: TaskRef }): Promise<void> => {
    const { site } = await openSite(deps, task);
    await deps.hosting.endPreview({ site, taskId: task.taskId });
  };
}
