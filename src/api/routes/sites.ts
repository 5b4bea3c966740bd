import { defined } from '../../contract/defined.ts';
import { type ApiRouter, callerOf, pathParameter, workOf } from '../context.ts';
import type { Caller } from '../../tasks/caller.ts';
import type { Work } from '../../threads/threads.ts';
import type { Needs, RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { namesOfChangers } from '../changers.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentSitePages, presentSites } from './sites.present.ts';
import {
  siteListQuery,
  type SiteListQuery,
  sitePagesQuery,
  type SitePagesQuery,
} from './sites.schema.ts';
import { findSite } from '../../tasks/start.ts';

type Deps = RouteNeeds<
  'sites' | 'sitePages' | 'siteList' | 'liveAddress' | 'knownTasks' | 'makers'
>;

export function siteRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const reads = enter(deps, 'read');
  router.get('/sites', ...reads, validateQuery(siteListQuery), async (ctx) => {
    ctx.body = await listSites(callerOf(ctx), deps, ctx.state.query);
  });
  router.get('/sites/:siteId/pages', ...reads, validateQuery(sitePagesQuery), async (ctx) => {
    const query = { siteId: pathParameter(ctx, 'siteId'), ...ctx.state.query };
    ctx.body = await listPages(callerOf(ctx), deps, query, workOf(ctx));
  });
  return router;
}

/** A part of the organization's sites. */
export async function listSites(
  { organizationId }: Caller,
  deps: Needs<'siteList' | 'liveAddress'>,
  { limit, cursor: after }: SiteListQuery,
) {
  const part = await deps.siteList.list(organizationId, defined({ limit, after }));
  return presentSites(part, deps.liveAddress);
}

/**
 * A part of a site's pages.
 * @throws DomainError NOT_FOUND, SITE_WITHOUT_REPOSITORY, or an error of reading a site
 */
export async function listPages(
  caller: Caller,
  deps: Needs<'sites' | 'sitePages' | 'knownTasks' | 'makers'>,
  { siteId, limit, cursor: after }: SitePagesQuery & { siteId: string },
  work: Work,
) {
  const site = await findSite(caller, deps, siteId);
  const part = await deps.sitePages.list(site, defined({ limit, after }), work);
  const names = await namesOfChangers(deps, site.organizationId, part.pages);
  return presentSitePages(site.siteId, part, names);
}
