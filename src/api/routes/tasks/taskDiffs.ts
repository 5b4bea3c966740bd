import type { TaskDiffResponse } from '../../../contract/responses.ts';
import type { SiteDiff } from '../../../sites/pages/siteDiff.ts';
import { type DiffPorts, readDiff } from '../../../tasks/diff.ts';
import { type ApiRouter, callerOf, taskIdOf, jobOwnerOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';

type TaskDiffRouteDeps = DiffPorts & RouteDeps<never>;

/** GET /agent/tasks/{taskId}/diff: what a completed task changed. */
export function taskDiffRoutes(deps: TaskDiffRouteDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/diff', ...enter(deps, 'read'), async (ctx) => {
    const taskId = taskIdOf(ctx);
    const { commits, diff } = await readDiff(callerOf(ctx), deps, taskId, jobOwnerOf(ctx));
    ctx.body = presentDiff(taskId, commits, diff);
  });
  return router;
}

/**
 * The response body: a task's changes, from the commit that it began from to its current result.
 * Both commits are null if it changed nothing.
 */
export function presentDiff(
  taskId: string,
  commits: { base: string; commit: string } | null,
  { patch, pages, warnings }: SiteDiff,
): TaskDiffResponse {
  const { base, commit } = commits ?? { base: null, commit: null };
  return {
    taskId,
    base,
    commit,
    patch,
    pages,
    ...(warnings.length > 0 && { warnings }),
  };
}
