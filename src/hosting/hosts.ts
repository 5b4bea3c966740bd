import type { Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { createEmbeddedHost, type EmbeddedHostOptions } from './embedded/embedded.ts';
import { createExternalHost, type ExternalHostOptions } from './external/external.ts';
import type { HostAdapter } from './hostAdapter.ts';

export {
  checkDomains,
  createDiskCopies,
  createOrigins,
  domainWarnings,
  type Domains,
  serveSites,
} from './embedded/embedded.ts';

export interface HostOptions extends EmbeddedHostOptions {
  /** For sites with an external host, which is called `own` here. Absent: there can be none. */
  own?: ExternalHostOptions;
}

/** The hosts of this service, by the name in `Site.host`. */
export type SiteHosts = Readonly<Record<string, HostAdapter>>;

export const createSiteHosts = (options: HostOptions): SiteHosts => ({
  embedded: createEmbeddedHost(options),
  ...(options.own && { own: createExternalHost(options.own) }),
});

/** The host of a site. @throws DomainError CONFIGURATION if this service has no such host */
export function findHost(
  hosts: SiteHosts,
  { siteId, host }: Pick<Site, 'siteId' | 'host'>,
): HostAdapter {
  const knownHost = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  if (knownHost) return knownHost;
  throw new DomainError(
    'CONFIGURATION',
    `The host "${host}" of the site ${siteId} is unknown to this service. Expected one of ${Object.keys(hosts).join(', ')}`,
  );
}
