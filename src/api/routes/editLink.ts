import Router from '@koa/router';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Shares } from '../../organizations/shares.ts';
import { createEditLink, type EditDeps } from '../../tasks/editLink.ts';
import { type ApiRouter, type ApiState, callerOf, taskIdOf } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import type { RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { editLinkBody } from './editLink.schema.ts';

export interface EditLinkDeps extends EditDeps, EnterDeps, RoomDeps {
  shares: Shares;
  accounts: Accounts;
}

/** How the key's organization lets somebody edit a task's pages: a link is all they need. */
export function editLinkRoutes(deps: EditLinkDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const body = jsonBody({ optional: true });
  router.post(
    '/agent/tasks/:taskId/edit-link',
    ...enter(deps, 'create'),
    body,
    validate(editLinkBody),
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
