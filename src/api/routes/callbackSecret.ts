import Router from '@koa/router';
import Joi from 'joi';
import type { CallbackSecret, NewCallbackSecret } from '../../contract/answers.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { type ApiContext, type ApiRouter, type ApiState, actorOf, identityOf } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validate } from '../middleware/validate.ts';

export interface CallbackSecretDeps extends EnterDeps {
  organizations: Pick<Organizations, 'callbackRotation' | 'rotateCallbackSecret'>;
}

/** A body may be left out; there is nothing to say in it. */
export const emptyBody = Joi.object<object>({}).label('body');

/** The secret that signs the organization's callbacks. Only the answer to a rotation shows it. */
export function callbackSecretRoutes(deps: CallbackSecretDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/callback-secret', ...enter(deps, 'read', 'admin'), (ctx) => read(ctx, deps));
  const entered = [
    ...enter(deps, 'create', 'admin'),
    jsonBody({ optional: true }),
    validate(emptyBody),
  ];
  router.post('/callback-secret/rotate', ...entered, (ctx) => rotate(ctx, deps));
  return router;
}

async function read(ctx: ApiContext, { organizations }: CallbackSecretDeps): Promise<void> {
  const { rotatedAt, previousUntil } = await organizations.callbackRotation(
    identityOf(ctx).organizationId,
  );
  ctx.body = { rotatedAt, previousUntil } satisfies CallbackSecret;
}

async function rotate(ctx: ApiContext, { organizations }: CallbackSecretDeps): Promise<void> {
  const { callbackSecret, previousUntil } = await organizations.rotateCallbackSecret(actorOf(ctx));
  ctx.body = { callbackSecret, previousUntil } satisfies NewCallbackSecret;
}
