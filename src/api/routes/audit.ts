import type { AuditEntry as EntryAnswer } from '../../contract/answers.ts';
import { type ApiContext, type ApiRouter, identityOf, type ValidQuery } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { timeCursor } from '../timeCursors.ts';
import { timeListQuery, type TimeListQuery } from './keys.schema.ts';

type Deps = RouteNeeds<'audit' | 'makers'>;

/** The audit: who changed which setting of the organization. */
export function auditRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const query = validateQuery(timeListQuery('entries'));
  router.get('/audit', ...enter(deps, 'read', 'admin'), query, (ctx) => list(ctx, deps));
  return router;
}

async function list(
  ctx: ApiContext<ValidQuery<TimeListQuery>>,
  { audit, makers }: Deps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { entries, more } = await audit.list(identityOf(ctx).organizationId, { limit, after });
  const people = await makers.named(
    entries.map(({ userId }) => (userId === null ? null : { userId })),
  );
  const keys = await makers.named(entries.map(({ keyId }) => (keyId === null ? null : { keyId })));
  const last = entries.at(-1);
  ctx.body = {
    entries: entries.map(({ at, action, subject, address }, i): EntryAnswer => ({
      at,
      person: people[i] ?? null,
      key: keys[i] ?? null,
      action,
      subject,
      address,
    })),
    nextCursor: more && last ? timeCursor.at(last) : null,
  };
}
