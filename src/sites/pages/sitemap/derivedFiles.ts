/** The main sitemap's file, at the site's root (sitemaps.org protocol 0.9). */
export const SITEMAP = 'sitemap.xml';

/**
 * Whether the service derives a file from the pages. Such files are not merged. A site may have
 * several sitemaps, with an index of them: `page-sitemap.xml`, `sitemaps/1.xml`.
 */
export const isDerived = (path: string) => /sitemap.*\.xml$/i.test(path);

const listing =
  /(?:^|\/)(?:(?:feed|rss|atom|index)\.(?:xml|json)|[\w-]*(?:search|lunr)[\w-]*\.js(?:on)?|robots\.txt|[^/]*sitemap[^/]*\.txt|llms(?:-full)?\.txt)$/i;
/** Whether a site usually lists its pages for programs in a file of this name. */
export const listsPages = (path: string) => isDerived(path) || listing.test(path);
