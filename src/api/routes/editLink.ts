import { createBatchEditLink, createEditLink, type EditPageDeps } from '../../tasks/editLink.ts';
import { type ApiRouter, batchIdOf, callerOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { batchEditLinkBody, editLinkBody } from './editLink.schema.ts';

type Deps = EditPageDeps & RouteNeeds<never>;

/** Links that let their holder edit a task's or a batch's pages without an account. */
export function editLinkRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.post(
    '/agent/tasks/:taskId/edit-link',
    ...enter(deps, 'create'),
    ...validBody(editLinkBody, { optional: true }),
    async (ctx) => {
      const { url, expiresAt } = await createEditLink(callerOf(ctx), deps, {
        taskId: taskIdOf(ctx),
        slug: ctx.state.body.slug,
      });
      ctx.body = { url, expiresAt: expiresAt.toISOString() };
    },
  );
  router.post(
    '/agent/batches/:batchId/edit-link',
    ...enter(deps, 'create'),
    ...validBody(batchEditLinkBody),
    async (ctx) => {
      const asked = { batchId: batchIdOf(ctx), slug: ctx.state.body.slug };
      const { url, expiresAt } = await createBatchEditLink(callerOf(ctx), deps, asked);
      ctx.body = { url, expiresAt: expiresAt.toISOString() };
    },
  );
  return router;
}
