import type { PageFile, Site } from '../../contract/site.ts';
import type { DeployedPage } from '../host.ts';
import type { Domains } from './recipient.ts';
import { urlPathOf } from '../../sites/pages/servedPaths.ts';
import type { FindFile } from '../../sites/pages/servedFiles.ts';

export interface Addresses {
  /** The origin of a site's live pages, without a slash at its end. */
  live(site: Pick<Site, 'label'>): string;
  /** The origin of a task's preview. */
  preview(site: Pick<Site, 'label'>, taskId: string): string;
  /** The address for editing a page of a task's result by hand. */
  edit(taskId: string, slug: string): string;
}

/**
 * The addresses of sites and previews: under their own domains, with PUBLIC_URL's scheme and port.
 * @param publicUrl the address that clients use; asked each time, because the port may be known
 *   only after listening
 */
export function createAddresses(
  { sitesDomain, previewDomain }: Domains,
  publicUrl: () => URL,
): Addresses {
  const origin = (hostname: string) => {
    const { protocol, port } = publicUrl();
    return `${protocol}//${hostname}${port && `:${port}`}`;
  };
  return {
    live: ({ label }) => origin(`${label}.${sitesDomain}`),
    edit: (taskId, slug) => editAddress(publicUrl(), taskId, slug).href,
    preview: ({ label }, taskId) => origin(`${taskId}--${label}.${previewDomain}`),
  };
}

/** The address for editing a page of a task's result by hand. */
export const editAddress = (publicUrl: URL, taskId: string, slug: string): URL =>
  new URL(`/edit/${taskId}${slug.split('/').map(encodeURIComponent).join('/')}`, publicUrl);

/**
 * The final URL of a page's file, which answers without a redirect.
 * @param base origin, without a slash at its end
 * @param path of the file, relative to the site's root
 * @returns undefined for a file that is not served
 */
export function pageUrl(base: string, path: string, find: FindFile): string | undefined {
  const urlPath = urlPathOf(find, path);
  return urlPath === undefined ? undefined : base + urlPath;
}

/** The pages with their final URLs; a page whose file is not served is left out. */
export function deployedPages(base: string, pages: PageFile[], find: FindFile): DeployedPage[] {
  return pages.flatMap(({ slug, path }) => {
    const url = pageUrl(base, path, find);
    return url === undefined ? [] : [{ slug, url }];
  });
}
