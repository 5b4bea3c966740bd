import { DomainError } from '../../errors.ts';
import { createFileFinder } from '../../sites/pages/urls/servedFiles.ts';
import type { HostAdapter } from '../hostAdapter.ts';
import { createSiteOrigins, deployedPages, type EmbeddedHostOptions } from './siteUrls.ts';

export { checkDomains, domainWarnings } from './checkDomains.ts';
export { createDiskCopies } from './diskCopies.ts';
export type { HostDomains as Domains } from './requestRecipient.ts';
export { serveSites } from './serveSites.ts';
export { createSiteOrigins as createOrigins, type EmbeddedHostOptions } from './siteUrls.ts';

/**
 * The host that is part of the service. It serves recorded commits directly from the clones of the
 * sites' repositories, so a deployment is only a record in the database, and is online at once.
 *
 * - serveSites.ts answers visitors. requestRecipient.ts finds the site or preview by the host name.
 * - fileAnswer.ts, requestConditions.ts and redirectReader.ts make the response.
 * - fileContents.ts, diskCopies.ts and siteBudget.ts read files without letting one site use up the
 *   memory or the disk.
 * - siteUrls.ts makes the URLs: `locations/lisbon.html` of the site `northwind` is at
 *   `https://northwind.sites.example/locations/lisbon`, and in the preview of the task `bg-1a2b` at
 *   `https://bg-1a2b--northwind.previews.example/locations/lisbon`.
 */
export function createEmbeddedHost(options: EmbeddedHostOptions): HostAdapter {
  const origins = createSiteOrigins(options);
  return {
    deployPreview: ({ site, taskId, tree, pages }) =>
      Promise.resolve({
        pages: deployedPages(origins.preview(site, taskId), pages, createFileFinder(tree)),
      }),
    advancePreview: () => Promise.resolve(),
    endPreview: () => Promise.resolve(),
    goLive: ({ site, tree, pages }) =>
      Promise.resolve({ pages: deployedPages(origins.live(site), pages, createFileFinder(tree)) }),
    findExpectedPages: () => Promise.resolve([]),
    checkDeployment: () => Promise.resolve({ pages: [] }),
    pullRequest: noPullRequests,
    merge: noPullRequests,
    liveOriginOf: origins.live,
    previewOriginOf: origins.preview,
    frameSources: origins.all,
  };
}

const noPullRequests = () =>
  Promise.reject(new DomainError('CONFIGURATION', 'The embedded host does not use pull requests'));
