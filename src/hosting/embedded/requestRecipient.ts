import type { IncomingMessage } from 'node:http';

export interface HostDomains {
  /** Live sites answer at `<label>.<sitesDomain>`. */
  sitesDomain: string;
  /** Previews answer at `<taskId>--<label>.<previewDomain>`. */
  previewDomain: string;
}

/**
 * The recipient of a request, by its host name alone: a live site, a preview, the service's own API
 * and console, or nobody.
 */
export type RequestRecipient =
  | { kind: 'live'; label: string }
  | { kind: 'preview'; label: string; taskId: string }
  | { kind: 'own' | 'nobody' };

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{0,5})?$/i;
const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const absoluteTargetPattern = /^https?:\/\/([^/?#]*)/i;
const siteLabelPattern = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/;
const previewLabelPattern = /^(bg-[a-z0-9]+)--(.+)$/;

/**
 * The host that a request names: in its target if that is absolute, else in its one `Host` header
 * (RFC 9112, section 3.2.2). Headers such as `X-Forwarded-Host` do not count: our proxies pass
 * `Host` on.
 * @returns '' if the request names no host, or more than one
 */
export function requestedHost(request: IncomingMessage): string {
  const { host = [] } = request.headersDistinct;
  if (host.length > 1) return '';
  return absoluteTargetPattern.exec(request.url ?? '')?.[1] ?? host[0] ?? '';
}

/**
 * Finds the recipient of a request. Ignores case, one trailing dot and the port:
 * `Northwind.sites.example:443` → `{ kind: 'live', label: 'northwind' }`
 * @param host as in a `Host` header
 * @param ownHost the host name of PUBLIC_URL; loopback names are `own` too
 */
export function findRecipient(
  host: string,
  ownHost: string,
  { sitesDomain, previewDomain }: HostDomains,
): RequestRecipient {
  const hostname = hostPattern.exec(host)?.[1]?.toLowerCase();
  if (hostname === undefined) return { kind: 'nobody' };
  if (hostname === ownHost.toLowerCase().replace(/\.$/, '') || loopbackPattern.test(hostname))
    return { kind: 'own' };
  const [, taskId, site] = previewLabelPattern.exec(labelUnder(previewDomain, hostname)) ?? [];
  if (taskId !== undefined && site !== undefined && siteLabelPattern.test(site))
    return { kind: 'preview', label: site, taskId };
  const label = labelUnder(sitesDomain, hostname);
  return siteLabelPattern.test(label) ? { kind: 'live', label } : { kind: 'nobody' };
}

/** The part of the name before the domain, '' if the name is not under it. */
function labelUnder(domain: string, hostname: string): string {
  const suffix = `.${domain.toLowerCase().replace(/\.$/, '')}`;
  return hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : '';
}
