import { createEditLink, type EditDeps } from '../../tasks/editLink.ts';
import { type ApiRouter, callerOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { editLinkBody } from './editLink.schema.ts';

type Deps = EditDeps & RouteNeeds<never>;

/** Links that let their holder edit a task's pages without an account. */
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
  return router;
}
