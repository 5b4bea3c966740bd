import { DomainError } from '../../errors.ts';
import { createFileFinder } from '../../sites/pages/urls/servedFiles.ts';
import type { HostAdapter } from '../hostAdapter.ts';
import { createSiteOrigins, deployedPages, type EmbeddedHostOptions } from './siteUrls.ts';

export { checkDomains, domainWarnings } from './checkDomains.ts';
export { createDiskCopies as createCopies } from './diskCopies.ts';
export type { HostDomains as Domains } from './requestRecipient.ts';
export { serveSites } from './serveSites.ts';
export { createSiteOrigins as createOrigins, type EmbeddedHostOptions } from './siteUrls.ts';

/**
 * The host that is part of the service. It serves recorded commits directly from the sites'
 * repositories (serveSites.ts), so a deployment is only a record in the database.
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
    awaited: () => Promise.resolve([]),
    look: () => Promise.resolve({ pages: [] }),
    pullRequest: noPullRequests,
    merge: noPullRequests,
    liveAddress: origins.live,
    previewAddress: origins.preview,
    frameSources: origins.all,
  };
}

const noPullRequests = () =>
  Promise.reject(new DomainError('CONFIGURATION', 'The embedded host does not use pull requests'));
