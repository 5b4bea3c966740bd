/** The sitemap's file, at the site's root (sitemaps.org protocol 0.9). */
export const SITEMAP = 'sitemap.xml';

/** Whether the service derives a file from the pages. Such files are not merged. */
export const isDerived = (path: string) => path === SITEMAP;
