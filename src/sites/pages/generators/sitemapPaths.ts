import { parseUrl } from '../../../contract/text/parseUrl.ts';

const MOST_URLS = 5_000;

/** The paths of the URLs in a sitemap. `isIndex`: they are those of other sitemaps. */
export function readSitemapPaths({ source }: { path: string; source: string }) {
  const locations = [...source.matchAll(/<loc>\s*([^\s<]+)/g)].slice(0, MOST_URLS);
  return {
    isIndex: source.includes('<sitemapindex'),
    paths: locations.flatMap(([, url]) => parseUrl(url!)?.pathname ?? []),
  };
}
