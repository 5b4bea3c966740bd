import type { Key as KeyAnswer, NewKey } from '../../contract/answers.ts';
import type { NamedMaker } from '../../contract/maker.ts';
import type { Key, MadeKey } from '../../organizations/keyRows.ts';
import {
  type ApiContext,
  type ApiRouter,
  actorOf,
  pathParameter,
  type ValidBody,
  type ValidQuery,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { timeCursor } from '../timeCursors.ts';
import {
  keyListQuery,
  type KeyListQuery,
  newKeyBody,
  type NewKeyBody,
  rotateKeyBody,
  type RotateKeyBody,
} from './keys.schema.ts';

type Deps = RouteNeeds<'teamKeys' | 'makers'>;

const HOUR = 3_600_000;

/** API keys of the organization. */
export function keyRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const writing = enter(deps, 'create');
  const rotating = validBody(rotateKeyBody, { optional: true });
  router.get('/keys', ...enter(deps, 'read'), validateQuery(keyListQuery), (ctx) =>
    list(ctx, deps),
  );
  router.post('/keys', ...writing, ...validBody(newKeyBody), (ctx) => create(ctx, deps));
  router.post('/keys/:keyId/rotate', ...writing, ...rotating, (ctx) => rotate(ctx, deps));
  router.delete('/keys/:keyId', ...writing, (ctx) => revoke(ctx, deps));
  return router;
}

async function list(
  ctx: ApiContext<ValidQuery<KeyListQuery>>,
  { teamKeys, makers }: Deps,
): Promise<void> {
  const { cursor: after, ...part } = ctx.state.query;
  const { keys, more } = await teamKeys.list(actorOf(ctx), { ...part, after });
  const named = await makers.named(keys.map(({ createdBy }) => createdBy));
  const last = keys.at(-1);
  ctx.body = {
    keys: keys.map((key, i) => presentKey(key, named[i] ?? null)),
    nextCursor: more && last ? timeCursor.at({ at: last.createdAt, id: last.keyId }) : null,
  };
}

async function create(ctx: ApiContext<ValidBody<NewKeyBody>>, deps: Deps): Promise<void> {
  const { name, role, expiresAt: expires } = ctx.state.body;
  await answerMade(ctx, deps, await deps.teamKeys.create(actorOf(ctx), { name, role, expires }));
}

async function rotate(ctx: ApiContext<ValidBody<RotateKeyBody>>, deps: Deps): Promise<void> {
  const overlap = ctx.state.body.overlapHours * HOUR;
  await answerMade(
    ctx,
    deps,
    await deps.teamKeys.rotate(actorOf(ctx), pathParameter(ctx, 'keyId'), overlap),
  );
}

async function revoke(ctx: ApiContext, { teamKeys }: Deps): Promise<void> {
  await teamKeys.revoke(actorOf(ctx), pathParameter(ctx, 'keyId'));
  ctx.status = 204;
}

async function answerMade(
  ctx: ApiContext,
  { makers }: Deps,
  { apiKey, ...key }: MadeKey,
): Promise<void> {
  const [createdBy = null] = await makers.named([key.createdBy]);
  ctx.status = 201;
  ctx.body = { ...presentKey(key, createdBy), apiKey } satisfies NewKey;
}

/**
 * A key without secrets. Fields are named one by one, so that new fields are not exposed by
 * accident.
 */
const presentKey = (key: Key, createdBy: NamedMaker | null): KeyAnswer => ({
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
