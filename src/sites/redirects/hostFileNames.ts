/** The file of redirects of Netlify and Cloudflare Pages, at the root of the site. */
export const REDIRECTS = '_redirects';

/** The most bytes of such a file that are read. */
export const HOST_FILE_BYTES = 500_000;

/**
 * The file of redirects to make for a site that has none: only the embedded host is known to read
 * it.
 */
export const newHostFileOf = ({ host }: { host: string }): string | undefined =>
  host === 'embedded' ? REDIRECTS : undefined;

/** Whether hosts read a file and do not serve it. `path`: relative to the site's root. */
export const isHostFile = (path: string): boolean => path === REDIRECTS || path === 'vercel.json';
