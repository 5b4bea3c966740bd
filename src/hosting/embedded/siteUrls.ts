import type { PageFile, Site } from '../../contract/site.ts';
import type { DeployedPage } from '../../contract/deployment.ts';
import type { HostDomains } from './requestRecipient.ts';
import { urlPathOf } from '../../sites/pages/urls/servedPaths.ts';
import type { ServedFileFinder } from '../../sites/pages/urls/servedFiles.ts';

export interface EmbeddedHostOptions extends HostDomains {
  /** The service's URL for clients. Sites use its scheme and port. */
  publicUrl: () => URL;
}

/**
 * The origins of sites and previews, without a slash at the end: under their own domains, with the
 * scheme and port of PUBLIC_URL. The port may be known only after listening, so it is read each
 * time.
 */
export function createSiteOrigins({ sitesDomain, previewDomain, publicUrl }: EmbeddedHostOptions) {
  const originAt = (hostname: string) => {
    const { protocol, port } = publicUrl();
    return `${protocol}//${hostname}${port && `:${port}`}`;
  };
  return {
    live: ({ label }: Pick<Site, 'label'>) => originAt(`${label}.${sitesDomain}`),
    preview: ({ label }: Pick<Site, 'label'>, taskId: string) =>
      originAt(`${taskId}--${label}.${previewDomain}`),
    /** Wildcards for all sites and all previews. */
    all: () => [sitesDomain, previewDomain].map((domain) => originAt(`*.${domain}`)),
  };
}

/**
 * The final URL of a page's file, which answers without a redirect.
 * @param base origin, without a slash at its end
 * @param path of the file, relative to the site's root
 * @returns undefined for a file that is not served
 */
export function deployedPageUrl(
  base: string,
  path: string,
  findFile: ServedFileFinder,
): string | undefined {
  const urlPath = urlPathOf(findFile, path);
  return urlPath === undefined ? undefined : base + urlPath;
}

/** The pages with their final URLs; a page whose file is not served is left out. */
export function deployedPages(
  base: string,
  pages: PageFile[],
  findFile: ServedFileFinder,
): DeployedPage[] {
  return pages.flatMap(({ slug, path }) => {
    const url = deployedPageUrl(base, path, findFile);
    return url === undefined ? [] : [{ slug, url }];
  });
}
