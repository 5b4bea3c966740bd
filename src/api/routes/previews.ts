import Router from '@koa/router';
import { DomainError } from '../../errors.ts';
import type { Tasks } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { taskIdOf } from '../../tasks/start.ts';

export interface PreviewRouteDeps extends EnterDeps {
  tasks: Pick<Tasks, 'find'>;
  deployments: { removePreview(preview: { siteId: string; taskId: string }): Promise<void> };
}

export function previewRoutes(deps: PreviewRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.delete('/agent/tasks/:taskId/preview', ...enter(deps, 'create'), (ctx) => removePreview(ctx, deps));
  return router;
}

/** DELETE /agent/tasks/{taskId}/preview: a running task could still make one. */
async function removePreview(ctx: ApiContext, { tasks, deployments }: PreviewRouteDeps): Promise<void> {
  const { siteId, taskId, finished } = await tasks.find(identityOf(ctx).organizationId, taskIdOf(ctx));
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  await deployments.removePreview({ siteId, taskId });
  ctx.status = 204;
}
