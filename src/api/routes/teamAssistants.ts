import {
  type ApiContext,
  type ApiRouter,
  actorOf,
  pathParameter,
  type ValidQuery,
} from '../context.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import type { RouteNeeds } from '../parts.ts';
import { recordChange } from '../recordChange.ts';
import { createRouter } from '../router.ts';
import { timeCursor } from '../timeCursors.ts';
import { timeListQuery, type TimeListQuery } from './keys.schema.ts';

type Deps = RouteNeeds<'accounts' | 'audit'>;

/** The assistants that act in the organization, for whoever manages its keys. */
export function teamAssistantRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const query = validateQuery(timeListQuery('assistants'));
  router.get('/assistants', ...enter(deps, 'read'), query, (ctx) => list(ctx, deps));
  router.delete('/assistants/:assistantId', ...enter(deps, 'create'), (ctx) =>
    disconnect(ctx, deps),
  );
  return router;
}

/** GET /assistants */
async function list(ctx: ApiContext<ValidQuery<TimeListQuery>>, deps: Deps): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { team } = deps.accounts.assistants;
  const { assistants, more } = await team.list(actorOf(ctx), { limit, after });
  const last = assistants.at(-1);
  ctx.body = {
    assistants,
    nextCursor: more && last ? timeCursor.at({ at: last.connectedAt, id: last.assistantId }) : null,
  };
}

/** DELETE /assistants/{assistantId} */
async function disconnect(ctx: ApiContext, deps: Deps): Promise<void> {
  const { team } = deps.accounts.assistants;
  const { name, person } = await team.end(actorOf(ctx), pathParameter(ctx, 'assistantId'));
  await recordChange(ctx, deps, 'assistant.disconnect', `${name} of ${person.email}`);
  ctx.status = 204;
}
