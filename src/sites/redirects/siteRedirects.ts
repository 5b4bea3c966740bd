import { type FindRedirect, indexRedirects, type PreparedRule } from './redirects.ts';

/** The redirects of a site. */
export interface SiteRedirects {
  /** Those that apply also where the site has a file. */
  forced: FindRedirect;
  all: FindRedirect;
  /** How many there are. */
  count: number;
}

/** @param rules of the site's host files, in their order */
export const siteRedirects = (rules: PreparedRule[]): SiteRedirects => ({
  forced: indexRedirects(rules.filter(({ isForced }) => isForced)),
  all: indexRedirects(rules),
  count: rules.length,
});
