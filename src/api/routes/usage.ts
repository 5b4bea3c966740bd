import { type ApiContext, type ApiRouter, identityOf, type ValidQuery } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { usageQuery, type UsageQuery } from './usage.schema.ts';

type Deps = RouteNeeds<'reportUsage'>;

/** What the organization uses of language models. */
export function usageRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const query = validateQuery(usageQuery);
  router.get('/usage', ...enter(deps, 'read', 'admin'), query, (ctx) => read(ctx, deps));
  return router;
}

/** GET /usage */
async function read(ctx: ApiContext<ValidQuery<UsageQuery>>, { reportUsage }: Deps): Promise<void> {
  ctx.body = await reportUsage(identityOf(ctx).organizationId, ctx.state.query.month);
}
