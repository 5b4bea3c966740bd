import Router from '@koa/router';
import { removePreview, type RemovePreviewDeps } from '../../tasks/previews.ts';
import { type ApiRouter, type ApiState, callerOf, taskIdOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';

export interface PreviewRouteDeps extends RemovePreviewDeps, EnterDeps {}

/** DELETE /agent/tasks/{taskId}/preview */
export function previewRoutes(deps: PreviewRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.delete('/agent/tasks/:taskId/preview', ...enter(deps, 'create'), async (ctx) => {
    await removePreview(callerOf(ctx), deps, taskIdOf(ctx));
    ctx.status = 204;
  });
  return router;
}
