import type { CallbackSecret, NewCallbackSecret } from '../../contract/answers.ts';
import { type ApiContext, type ApiRouter, actorOf, identityOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { nothing } from './siteSettings.schema.ts';

type Deps = RouteNeeds<'organizations'>;

/**
 * The secret that signs the organization's callbacks. It is shown only in the answer to its
 * rotation.
 */
export function callbackSecretRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/callback-secret', ...enter(deps, 'read', 'admin'), (ctx) => read(ctx, deps));
  const entered = [...enter(deps, 'create', 'admin'), ...validBody(nothing, { optional: true })];
  router.post('/callback-secret/rotate', ...entered, (ctx) => rotate(ctx, deps));
  return router;
}

async function read(ctx: ApiContext, { organizations }: Deps): Promise<void> {
  const { rotatedAt, previousUntil } = await organizations.callbackRotation(
    identityOf(ctx).organizationId,
  );
  ctx.body = { rotatedAt, previousUntil } satisfies CallbackSecret;
}

async function rotate(ctx: ApiContext, { organizations }: Deps): Promise<void> {
  const { callbackSecret, previousUntil } = await organizations.rotateCallbackSecret(actorOf(ctx));
  ctx.body = { callbackSecret, previousUntil } satisfies NewCallbackSecret;
}
