import {
  createBatchEditLink,
  createTaskEditLink,
  type EditPagePorts,
} from '../../../tasks/editLink.ts';
import { createSiteEditLink } from '../../../tasks/editSitePage.ts';
import {
  type ApiRouter,
  batchIdOf,
  callerOf,
  jobOwnerOf,
  pathParameter,
  taskIdOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { batchEditLinkBody, editLinkBody, siteEditLinkBody } from './editLink.schema.ts';

type EditLinkRouteDeps = EditPagePorts & RouteDeps<'sites' | 'audit'>;

/** Links that let their holder edit the pages of a task, a batch or a site without an account. */
export function editLinkRoutes(deps: EditLinkRouteDeps): ApiRouter {
  const router = createRouter();
  router.post(
    '/agent/tasks/:taskId/edit-link',
    ...enter(deps, 'create'),
    ...validBody(editLinkBody, { optional: true }),
    async (ctx) => {
      const linkRequest = { taskId: taskIdOf(ctx), slug: ctx.state.body.slug };
      const { url, expiresAt } = await createTaskEditLink(callerOf(ctx), deps, linkRequest);
      await recordChange(ctx, deps, 'edit-link.create', linkRequest.taskId);
      ctx.body = { url, expiresAt: expiresAt.toISOString() };
    },
  );
  router.post(
    '/agent/batches/:batchId/edit-link',
    ...enter(deps, 'create'),
    ...validBody(batchEditLinkBody),
    async (ctx) => {
      const linkRequest = { batchId: batchIdOf(ctx), slug: ctx.state.body.slug };
      const { url, expiresAt } = await createBatchEditLink(callerOf(ctx), deps, linkRequest);
      await recordChange(ctx, deps, 'edit-link.create', linkRequest.batchId);
      ctx.body = { url, expiresAt: expiresAt.toISOString() };
    },
  );
  router.post(
    '/sites/:siteId/edit-link',
    ...enter(deps, 'create'),
    ...validBody(siteEditLinkBody),
    async (ctx) => {
      const linkRequest = { siteId: pathParameter(ctx, 'siteId'), slug: ctx.state.body.slug };
      const { signal } = jobOwnerOf(ctx);
      const { url, expiresAt } = await createSiteEditLink(callerOf(ctx), deps, linkRequest, signal);
      const { siteId, slug } = linkRequest;
      await recordChange(ctx, deps, 'edit-link.create', `${siteId} (${slug})`);
      ctx.body = { url, expiresAt: expiresAt.toISOString() };
    },
  );
  return router;
}
