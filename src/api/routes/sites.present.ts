import type { SitePagesPart } from '../../sites/pages/sitePages.ts';
import { cursorAt } from './sites.schema.ts';

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
