import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { type ApiRouter, callerOf, pathParameter, jobOwnerOf } from '../../context.ts';
import type { RequestCaller } from '../../../tasks/caller.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import type { SomeApiDeps, RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { changerNames } from '../../changerNames.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { presentSitePages, presentSites } from './sites.present.ts';
import {
  siteListQuery,
  type SiteListQuery,
  sitePagesQuery,
  type SitePagesQuery,
} from './sites.schema.ts';
import { findCallerSite } from '../../../tasks/startTask.ts';

type SiteRouteDeps = RouteDeps<
  'sites' | 'sitePages' | 'siteList' | 'liveOriginOf' | 'knownTasks' | 'creators'
>;

/** Lists of the organization's sites, and of the pages of a site. */
export function siteRoutes(deps: SiteRouteDeps): ApiRouter {
  const router = createRouter();
  const readChecks = enter(deps, 'read');
  router.get('/sites', ...readChecks, validateQuery(siteListQuery), async (ctx) => {
    ctx.body = await listSites(callerOf(ctx), deps, ctx.state.query);
  });
  router.get('/sites/:siteId/pages', ...readChecks, validateQuery(sitePagesQuery), async (ctx) => {
    const pageQuery = { siteId: pathParameter(ctx, 'siteId'), ...ctx.state.query };
    ctx.body = await listPages(callerOf(ctx), deps, pageQuery, jobOwnerOf(ctx));
  });
  return router;
}

/** GET /sites: a part of the organization's sites. */
export async function listSites(
  { organizationId }: RequestCaller,
  deps: SomeApiDeps<'siteList' | 'liveOriginOf'>,
  { limit, cursor: after }: SiteListQuery,
) {
  const sitePart = await deps.siteList.list(organizationId, withoutUndefined({ limit, after }));
  return presentSites(sitePart, deps.liveOriginOf);
}

/**
 * GET /sites/{siteId}/pages: a part of a site's pages.
 * @throws DomainError NOT_FOUND, SITE_WITHOUT_REPOSITORY, or why the site can't be read
 */
export async function listPages(
  caller: RequestCaller,
  deps: SomeApiDeps<'sites' | 'sitePages' | 'knownTasks' | 'creators'>,
  { siteId, limit, cursor: after }: SitePagesQuery & { siteId: string },
  jobOwner: JobOwner,
) {
  const site = await findCallerSite(caller, deps, siteId);
  const pagePart = await deps.sitePages.list(site, withoutUndefined({ limit, after }), jobOwner);
  const changerNamesList = await changerNames(deps, site.organizationId, pagePart.pages);
  return presentSitePages(site.siteId, pagePart, changerNamesList);
}
