import type { SitePagesPart } from '../../sites/pages/sitePages.ts';
import type { ListedSite } from '../../organizations/siteList.ts';
import { cursorAt, siteCursorAt } from './sites.schema.ts';

/** An organization's sites, from the start or from a cursor on. */
export function presentSites(
  { sites, more }: { sites: ListedSite[]; more: boolean },
  liveAddress: (site: { label: string }) => string,
) {
  const last = sites.at(-1);
  return {
    sites: sites.map(({ siteId, name, label, isLive, deployment }) => ({
      ...{ siteId, name, deployment },
      liveUrl: isLive ? `${liveAddress({ label })}/` : null,
    })),
    nextCursor: more && last ? siteCursorAt([last.name, last.siteId]) : null,
  };
}

/** The pages of a site, from the start or from a cursor on. */
export function presentSitePages(siteId: string, { commit, pages, more }: SitePagesPart) {
  const last = pages.at(-1);
  return {
    siteId,
    commit,
    pages: pages.map(({ slug, title, template }) => ({ slug, title, template })),
    nextCursor: more && last ? cursorAt(last.slug) : null,
  };
}
