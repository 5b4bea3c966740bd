import type { Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { createEmbeddedHost, type EmbeddedHostOptions } from './embedded/embedded.ts';
import { createOwnHost, type OwnHostOptions } from './own/own.ts';
import type { Host } from './host.ts';

export {
  checkDomains,
  createCopies,
  createOrigins,
  domainWarnings,
  type Domains,
  serveSites,
} from './embedded/embedded.ts';

export interface HostOptions extends EmbeddedHostOptions {
  /** For sites with a host of their team's own. Absent: there can be none. */
  own?: OwnHostOptions;
}

/** The hosts of this service, by the name in `Site.host`. */
export type Hosts = Readonly<Record<string, Host>>;

export const createHosts = (options: HostOptions): Hosts => ({
  embedded: createEmbeddedHost(options),
  ...(options.own && { own: createOwnHost(options.own) }),
});

/** The host of a site. @throws DomainError CONFIGURATION if this service has no such host */
export function hostOf(hosts: Hosts, { siteId, host }: Pick<Site, 'siteId' | 'host'>): Host {
  const found = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  if (found) return found;
  throw new DomainError(
    'CONFIGURATION',
    `Site ${siteId} has the host "${host}", which this service does not know: expected ${Object.keys(hosts).join(', ')}`,
  );
}
