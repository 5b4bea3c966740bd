import { REDIRECTS, VERCEL } from './hostFileNames.ts';
import { readRedirectLine } from './redirectLines.ts';
import { indexRedirects, type FindRedirect, type Redirect } from './redirects.ts';
import { vercelRedirects } from './vercelRedirects.ts';

/** The redirects of a site. */
export interface SiteRedirects {
  /** Those that apply also where the site has a file. */
  forced: FindRedirect;
  all: FindRedirect;
  /** How many there are. */
  count: number;
}

/** Reads the redirects that apply to every visitor. `sources`: the host files, by their paths. */
export function siteRedirects(sources: ReadonlyMap<string, string>): SiteRedirects {
  const redirects = [
    ...redirectsIn(sources.get(REDIRECTS) ?? ''),
    ...vercelRedirects(sources.get(VERCEL) ?? ''),
  ];
  return {
    forced: indexRedirects(redirects.filter(({ isForced }) => isForced)),
    all: indexRedirects(redirects),
    count: redirects.length,
  };
}

const redirectsIn = (source: string): Redirect[] =>
  source
    .split('\n')
    .map(readRedirectLine)
    .filter((rule) => rule !== null)
    .filter(({ isPlain }) => isPlain);
