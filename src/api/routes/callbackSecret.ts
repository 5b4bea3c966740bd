import Router from '@koa/router';
import type { Organizations } from '../../organizations/organizations.ts';
import { type ApiContext, type ApiRouter, type ApiState, actorOf, identityOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';

export interface CallbackSecretDeps extends EnterDeps {
  organizations: Pick<Organizations, 'callbackRotation' | 'rotateCallbackSecret'>;
}

/** The secret that signs the organization's callbacks. Only the answer to a rotation shows it. */
export function callbackSecretRoutes(deps: CallbackSecretDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/callback-secret', ...enter(deps, 'read', 'admin'), (ctx) => read(ctx, deps));
  router.post('/callback-secret/rotate', ...enter(deps, 'create', 'admin'), (ctx) => rotate(ctx, deps));
  return router;
}

async function read(ctx: ApiContext, { organizations }: CallbackSecretDeps): Promise<void> {
  const { rotatedAt, previousUntil } = await organizations.callbackRotation(identityOf(ctx).organizationId);
  ctx.body = { rotatedAt, previousUntil };
}

async function rotate(ctx: ApiContext, { organizations }: CallbackSecretDeps): Promise<void> {
  const { callbackSecret, previousUntil } = await organizations.rotateCallbackSecret(actorOf(ctx));
  ctx.body = { callbackSecret, previousUntil };
}
