/** A registered site and its parts, as every layer names them. Imports nothing. */

/** Where a site's pages live. `root` is the folder of the pages inside the repository, '' for all of it, else without slashes at its ends. */
export interface SiteRepository {
  url: string;
  branch: string;
  root: string;
}

export interface Site {
  siteId: string;
  organizationId: string;
  name: string;
  /** The site's host label: at most 30 of [a-z0-9-], unique, no `--`. */
  label: string;
  /** null: the site has no repository information. */
  repository: SiteRepository | null;
  author: { name: string; email: string };
  createdAt: string;
}

/** A page of a site: its slug (starts with `/`) and its file, relative to the site's root. */
export interface PageFile {
  slug: string;
  path: string;
}
