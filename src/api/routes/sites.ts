import { defined } from '../../contract/defined.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  identityOf,
  pathParameter,
  type ValidQuery,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { namesOfChangers } from '../changers.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentExamples, presentSitePages, presentSites } from './sites.present.ts';
import {
  siteListQuery,
  type SiteListQuery,
  sitePagesQuery,
  type SitePagesQuery,
} from './sites.schema.ts';
import { findSite } from '../../tasks/start.ts';

type Deps = RouteNeeds<
  'sites' | 'sitePages' | 'siteList' | 'findExamples' | 'liveAddress' | 'knownTasks' | 'makers'
>;

export function siteRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get('/sites', ...enter(deps, 'read'), validateQuery(siteListQuery), (ctx) =>
    listSites(ctx, deps),
  );
  router.get('/sites/:siteId/pages', ...enter(deps, 'read'), validateQuery(sitePagesQuery), (ctx) =>
    listPages(ctx, deps),
  );
  router.get('/sites/:siteId/examples', ...enter(deps, 'read'), (ctx) => listExamples(ctx, deps));
  return router;
}

/** GET /sites/{siteId}/examples */
async function listExamples(ctx: ApiContext, { sites, findExamples }: Deps): Promise<void> {
  const site = await findSite(callerOf(ctx), { sites }, pathParameter(ctx, 'siteId'));
  ctx.body = presentExamples(site.siteId, await findExamples(site, workOf(ctx)));
}

/** GET /sites */
async function listSites(ctx: ApiContext<ValidQuery<SiteListQuery>>, deps: Deps): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const part = await deps.siteList.list(identityOf(ctx).organizationId, defined({ limit, after }));
  ctx.body = presentSites(part, deps.liveAddress);
}

/** GET /sites/{siteId}/pages */
async function listPages(ctx: ApiContext<ValidQuery<SitePagesQuery>>, deps: Deps): Promise<void> {
  const { sites, sitePages } = deps;
  const site = await findSite(callerOf(ctx), { sites }, pathParameter(ctx, 'siteId'));
  const { limit, cursor: after } = ctx.state.query;
  const part = await sitePages.list(site, defined({ limit, after }), workOf(ctx));
  ctx.body = presentSitePages(
    site.siteId,
    part,
    await namesOfChangers(deps, site.organizationId, part.pages),
  );
}
