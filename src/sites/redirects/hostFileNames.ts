/** The file of redirects of Netlify and Cloudflare Pages, at the root of the site. */
export const REDIRECTS = '_redirects';
/** The configuration of sites at Vercel, at the root of the site. */
export const VERCEL = 'vercel.json';

/** Whether hosts keep a site's redirects in a file. `path`: relative to the site's root. */
export const isHostFile = (path: string): boolean => path === REDIRECTS || path === VERCEL;
