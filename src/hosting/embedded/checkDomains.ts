import { getDomain, parse } from 'tldts';
import { DomainError } from '../../errors.ts';

interface DomainSettings {
  production: boolean;
  publicUrl: string | undefined;
  sitesDomain: string;
  previewDomain: string;
}

/**
 * Checks that in production, sites and previews do not share PUBLIC_URL's registrable domain, such
 * as `example.com` (Public Suffix List). Otherwise their scripts could set cookies for the host of
 * the API and the console, and browsers would treat them as the same site.
 * @throws DomainError CONFIGURATION that names the setting
 */
export function checkDomains(config: DomainSettings): void {
  if (!config.production) return;
  const publicDomain = registrableDomain(new URL(config.publicUrl ?? 'http://localhost').hostname);
  for (const { setting, domain } of domainsWithSettings(config)) {
    if (registrableDomain(domain) === publicDomain)
      throw new DomainError(
        'CONFIGURATION',
        `${setting} ${domain} must not be under the registrable domain of PUBLIC_URL, ${publicDomain}`,
      );
  }
}

/**
 * Warns in production of domains that are not a public suffix. Browsers let a page under such a
 * domain set cookies for all of it (RFC 6265, section 5.3, step 5), and no response can prevent it.
 * @returns a text for each setting with such a domain; none outside of production
 */
export function domainWarnings(config: DomainSettings): string[] {
  if (!config.production) return [];
  return domainsWithSettings(config)
    .filter(({ domain }) => !isPublicSuffix(domain))
    .map(
      ({ setting, domain, of }) =>
        `${setting} ${domain} is not a public suffix, so scripts of one ${of} can set cookies for all ${of}s under it. ` +
        `A visitor with many such cookies gets status 431 from every other ${of}. Request an entry for it in the Public Suffix List`,
    );
}

const domainsWithSettings = ({ sitesDomain, previewDomain }: DomainSettings) => [
  { setting: 'SITES_DOMAIN', domain: sitesDomain, of: 'site' },
  { setting: 'PREVIEW_DOMAIN', domain: previewDomain, of: 'preview' },
];

const registrableDomain = (hostname: string) =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;

/** A single unlisted label is a public suffix too (Public Suffix List, "Algorithm": rule *). */
function isPublicSuffix(domain: string): boolean {
  const { hostname, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  return publicSuffix !== null && publicSuffix === hostname;
}
