import type { AuditEntryResponse } from '../../../contract/responses.ts';
import { type ApiContext, type ApiRouter, callerIdentity, type ValidQuery } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { timeCursor } from '../../timeCursors.ts';
import { timeListQuery, type TimeListQuery } from './keys.schema.ts';

type AuditRouteDeps = RouteDeps<'audit' | 'creators'>;

/** The audit: a list of who changed which setting of the organization, for admins. */
export function auditRoutes(deps: AuditRouteDeps): ApiRouter {
  const router = createRouter();
  const validQuery = validateQuery(timeListQuery('entries'));
  router.get('/audit', ...enter(deps, 'read', 'admin'), validQuery, (ctx) => listAudit(ctx, deps));
  return router;
}

async function listAudit(
  ctx: ApiContext<ValidQuery<TimeListQuery>>,
  { audit, creators }: AuditRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { entries, more: hasMore } = await audit.list(callerIdentity(ctx).organizationId, {
    limit,
    after,
  });
  const memberNames = await creators.named(
    entries.map(({ userId }) => (userId === null ? null : { userId })),
  );
  const keyNames = await creators.named(
    entries.map(({ keyId }) => (keyId === null ? null : { keyId })),
  );
  const lastEntry = entries.at(-1);
  ctx.body = {
    entries: entries.map(({ at, action, subject, address }, index): AuditEntryResponse => ({
      at,
      person: memberNames[index] ?? null,
      key: keyNames[index] ?? null,
      action,
      subject,
      address,
    })),
    nextCursor: hasMore && lastEntry ? timeCursor.at(lastEntry) : null,
  };
}
