import { DomainError } from '../../errors.ts';
import { servedFiles } from '../../sites/pages/servedFiles.ts';
import type { Host } from '../host.ts';
import { createOrigins, deployedPages, type EmbeddedHostOptions } from './siteUrls.ts';

export { checkDomains, domainWarnings } from './checkDomains.ts';
export { createCopies } from './diskCopies.ts';
export type { Domains } from './recipient.ts';
export { serveSites } from './serveSites.ts';
export { createOrigins, type EmbeddedHostOptions } from './siteUrls.ts';

/**
 * The host that is part of the service. It serves recorded commits directly from the sites'
 * repositories (serveSites.ts), so a deployment is only a record in the database.
 */
export function createEmbeddedHost(options: EmbeddedHostOptions): Host {
  const origins = createOrigins(options);
  return {
    deployPreview: ({ site, taskId, tree, pages }) =>
      Promise.resolve({
        pages: deployedPages(origins.preview(site, taskId), pages, servedFiles(tree)),
      }),
    advancePreview: () => Promise.resolve(),
    endPreview: () => Promise.resolve(),
    goLive: ({ site, tree, pages }) =>
      Promise.resolve({ pages: deployedPages(origins.live(site), pages, servedFiles(tree)) }),
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
  Promise.reject(new DomainError('CONFIGURATION', 'The embedded host has no pull requests'));
