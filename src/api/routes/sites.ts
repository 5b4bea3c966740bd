import Router from '@koa/router';
import type { FindExamples } from '../../contract/check.ts';
import { defined } from '../../contract/defined.ts';
import type { SiteRegister } from '../../contract/site.ts';
import type { Site } from '../../contract/site.ts';
import type { SiteList } from '../../organizations/siteList.ts';
import type { SitePages } from '../../sites/pages/sitePages.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  identityOf,
  pathParameter,
  type ValidQuery,
  workOf,
} from '../context.ts';
import { type ChangerDeps, namesOfChangers } from '../changers.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentExamples, presentSitePages, presentSites } from './sites.present.ts';
import {
  siteListQuery,
  type SiteListQuery,
  sitePagesQuery,
  type SitePagesQuery,
} from './sites.schema.ts';
import { findSite } from '../../tasks/start.ts';

export interface SiteRouteDeps extends EnterDeps, ChangerDeps {
  sites: SiteRegister;
  sitePages: SitePages;
  siteList: SiteList;
  findExamples: FindExamples;
  /** The origin of a site's live pages. */
  liveAddress: (site: Site) => string;
}

export function siteRoutes(deps: SiteRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
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
async function listExamples(
  ctx: ApiContext,
  { sites, findExamples }: SiteRouteDeps,
): Promise<void> {
  const site = await findSite(callerOf(ctx), { sites }, pathParameter(ctx, 'siteId'));
  ctx.body = presentExamples(site.siteId, await findExamples(site, workOf(ctx)));
}

/** GET /sites */
async function listSites(
  ctx: ApiContext<ValidQuery<SiteListQuery>>,
  deps: SiteRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const part = await deps.siteList.list(identityOf(ctx).organizationId, defined({ limit, after }));
  ctx.body = presentSites(part, deps.liveAddress);
}

/** GET /sites/{siteId}/pages */
async function listPages(
  ctx: ApiContext<ValidQuery<SitePagesQuery>>,
  deps: SiteRouteDeps,
): Promise<void> {
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
