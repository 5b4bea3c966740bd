import type { CallbackSecret, RotatedCallbackSecret } from '../../../contract/responses.ts';
import { type ApiContext, type ApiRouter, auditActorOf, callerIdentity } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { nothing } from '../sites/siteSettings.schema.ts';

type CallbackSecretRouteDeps = RouteDeps<'organizations'>;

/**
 * The secret that signs the organization's callbacks. Only the response to its rotation contains
 * it.
 */
export function callbackSecretRoutes(deps: CallbackSecretRouteDeps): ApiRouter {
  const router = createRouter();
  router.get('/callback-secret', ...enter(deps, 'read', 'admin'), (ctx) =>
    readCallbackSecret(ctx, deps),
  );
  const entryChecks = [
    ...enter(deps, 'create', 'admin'),
    ...validBody(nothing, { optional: true }),
  ];
  router.post('/callback-secret/rotate', ...entryChecks, (ctx) => rotateCallbackSecret(ctx, deps));
  return router;
}

async function readCallbackSecret(
  ctx: ApiContext,
  { organizations }: CallbackSecretRouteDeps,
): Promise<void> {
  const { rotatedAt, previousUntil } = await organizations.callbackRotation(
    callerIdentity(ctx).organizationId,
  );
  ctx.body = { rotatedAt, previousUntil } satisfies CallbackSecret;
}

async function rotateCallbackSecret(
  ctx: ApiContext,
  { organizations }: CallbackSecretRouteDeps,
): Promise<void> {
  const { callbackSecret, previousUntil } = await organizations.rotateCallbackSecret(
    auditActorOf(ctx),
  );
  ctx.body = { callbackSecret, previousUntil } satisfies RotatedCallbackSecret;
}
