import type { ApiKeyResponse, IssuedApiKeyResponse } from '../../../contract/responses.ts';
import type { ApiKey, IssuedApiKey } from '../../../organizations/apiKeyRows.ts';
import {
  auditActorOf,
  type ApiContext,
  type ApiRouter,
  pathParameter,
  type ValidBody,
  type ValidQuery,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { timeCursor } from '../../timeCursors.ts';
import {
  keyListQuery,
  type KeyListQuery,
  newKeyBody,
  type NewKeyBody,
  rotateKeyBody,
  type RotateKeyBody,
} from './keys.schema.ts';
import type { NamedCreator } from '../../../contract/creator.ts';

type KeyRouteDeps = RouteDeps<'teamKeys' | 'creators'>;

const HOUR = 3_600_000;

/** API keys of the organization. */
export function keyRoutes(deps: KeyRouteDeps): ApiRouter {
  const router = createRouter();
  const writeChecks = enter(deps, 'create');
  const rotationChecks = validBody(rotateKeyBody, { optional: true });
  router.get('/keys', ...enter(deps, 'read'), validateQuery(keyListQuery), (ctx) =>
    listKeys(ctx, deps),
  );
  router.post('/keys', ...writeChecks, ...validBody(newKeyBody), (ctx) => createKey(ctx, deps));
  router.post('/keys/:keyId/rotate', ...writeChecks, ...rotationChecks, (ctx) =>
    rotateKey(ctx, deps),
  );
  router.delete('/keys/:keyId', ...writeChecks, (ctx) => revokeKey(ctx, deps));
  return router;
}

async function listKeys(
  ctx: ApiContext<ValidQuery<KeyListQuery>>,
  { teamKeys, creators }: KeyRouteDeps,
): Promise<void> {
  const { cursor: after, ...listFilters } = ctx.state.query;
  const { keys, more: hasMore } = await teamKeys.list(auditActorOf(ctx), { ...listFilters, after });
  const creatorNames = await creators.named(keys.map(({ createdBy }) => createdBy));
  const lastKey = keys.at(-1);
  ctx.body = {
    keys: keys.map((key, index) => presentKeyResponse(key, creatorNames[index] ?? null)),
    nextCursor:
      hasMore && lastKey ? timeCursor.at({ at: lastKey.createdAt, id: lastKey.keyId }) : null,
  };
}

async function createKey(
  ctx: ApiContext<ValidBody<NewKeyBody>>,
  deps: KeyRouteDeps,
): Promise<void> {
  const { name, role, expiresAt: expires } = ctx.state.body;
  await answerIssuedKey(
    ctx,
    deps,
    await deps.teamKeys.create(auditActorOf(ctx), { name, role, expires }),
  );
}

async function rotateKey(
  ctx: ApiContext<ValidBody<RotateKeyBody>>,
  deps: KeyRouteDeps,
): Promise<void> {
  const overlapMs = ctx.state.body.overlapHours * HOUR;
  await answerIssuedKey(
    ctx,
    deps,
    await deps.teamKeys.rotate(auditActorOf(ctx), pathParameter(ctx, 'keyId'), overlapMs),
  );
}

async function revokeKey(ctx: ApiContext, { teamKeys }: KeyRouteDeps): Promise<void> {
  await teamKeys.revoke(auditActorOf(ctx), pathParameter(ctx, 'keyId'));
  ctx.status = 204;
}

async function answerIssuedKey(
  ctx: ApiContext,
  { creators }: KeyRouteDeps,
  { apiKey, ...key }: IssuedApiKey,
): Promise<void> {
  const [createdBy = null] = await creators.named([key.createdBy]);
  ctx.status = 201;
  ctx.body = { ...presentKeyResponse(key, createdBy), apiKey } satisfies IssuedApiKeyResponse;
}

/**
 * A key without secrets. Fields are named one by one, so that new fields are not exposed by
 * accident.
 */
const presentKeyResponse = (key: ApiKey, createdBy: NamedCreator | null): ApiKeyResponse => ({
  keyId: key.keyId,
  prefix: key.prefix,
  name: key.name,
  role: key.role,
  createdBy,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
});
