import { removePreview } from '../../../tasks/previews.ts';
import { type ApiRouter, callerOf, taskIdOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';

type PreviewRouteDeps = RouteDeps<'tasks' | 'sites' | 'hosting'>;

/** DELETE /agent/tasks/{taskId}/preview: ends the preview of a task. */
export function previewRoutes(deps: PreviewRouteDeps): ApiRouter {
  const router = createRouter();
  router.delete('/agent/tasks/:taskId/preview', ...enter(deps, 'create'), async (ctx) => {
    await removePreview(callerOf(ctx), deps, taskIdOf(ctx));
    ctx.status = 204;
  });
  return router;
}
