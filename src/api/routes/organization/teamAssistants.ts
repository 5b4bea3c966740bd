import {
  type ApiContext,
  type ApiRouter,
  auditActorOf,
  pathParameter,
  type ValidQuery,
} from '../../context.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { timeCursor } from '../../timeCursors.ts';
import { timeListQuery, type TimeListQuery } from './keys.schema.ts';

type TeamAssistantRouteDeps = RouteDeps<'accounts' | 'audit'>;

/**
 * The assistants (programs that act for a person) in the organization. Admins see and disconnect
 * all of them, and members their own.
 */
export function teamAssistantRoutes(deps: TeamAssistantRouteDeps): ApiRouter {
  const router = createRouter();
  const validQuery = validateQuery(timeListQuery('assistants'));
  router.get('/assistants', ...enter(deps, 'read'), validQuery, (ctx) =>
    listTeamAssistants(ctx, deps),
  );
  router.delete('/assistants/:assistantId', ...enter(deps, 'create'), (ctx) =>
    disconnectTeamAssistant(ctx, deps),
  );
  return router;
}

/** GET /assistants */
async function listTeamAssistants(
  ctx: ApiContext<ValidQuery<TimeListQuery>>,
  deps: TeamAssistantRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { team: teamAssistants } = deps.accounts.assistants;
  const { assistants, more: hasMore } = await teamAssistants.list(auditActorOf(ctx), {
    limit,
    after,
  });
  const lastAssistant = assistants.at(-1);
  ctx.body = {
    assistants,
    nextCursor:
      hasMore && lastAssistant
        ? timeCursor.at({ at: lastAssistant.connectedAt, id: lastAssistant.assistantId })
        : null,
  };
}

/** DELETE /assistants/{assistantId} */
async function disconnectTeamAssistant(
  ctx: ApiContext,
  deps: TeamAssistantRouteDeps,
): Promise<void> {
  const { team: teamAssistants } = deps.accounts.assistants;
  const { name, person } = await teamAssistants.end(
    auditActorOf(ctx),
    pathParameter(ctx, 'assistantId'),
  );
  await recordChange(ctx, deps, 'assistant.disconnect', `${name} of ${person.email}`);
  ctx.status = 204;
}
