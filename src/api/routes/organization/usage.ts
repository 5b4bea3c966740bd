import { type ApiContext, type ApiRouter, callerIdentity, type ValidQuery } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { usageQuery, type UsageQuery } from './usage.schema.ts';

type UsageRouteDeps = RouteDeps<'reportUsage'>;

/** The organization's usage of language models, by month, for admins. */
export function usageRoutes(deps: UsageRouteDeps): ApiRouter {
  const router = createRouter();
  const validQuery = validateQuery(usageQuery);
  router.get('/usage', ...enter(deps, 'read', 'admin'), validQuery, (ctx) => readUsage(ctx, deps));
  return router;
}

/** GET /usage */
async function readUsage(
  ctx: ApiContext<ValidQuery<UsageQuery>>,
  { reportUsage }: UsageRouteDeps,
): Promise<void> {
  ctx.body = await reportUsage(callerIdentity(ctx).organizationId, ctx.state.query.month);
}
