import { getDomain } from 'tldts';
import { DomainError } from '../../errors.ts';

interface Domains {
  production: boolean;
  publicUrl: string | undefined;
  sitesDomain: string;
  previewDomain: string;
}

/**
 * In production, sites and previews must not share PUBLIC_URL's registrable domain (Public Suffix List): their scripts
 * could set cookies for the API's and the console's host, and count as the same site.
 * @throws DomainError CONFIGURATION that names the setting
 */
export function checkDomains(config: Domains): void {
  if (!config.production) return;
  const own = registrable(new URL(config.publicUrl ?? 'http://localhost').hostname);
  for (const [setting, domain] of [
    ['SITES_DOMAIN', config.sitesDomain],
    ['PREVIEW_DOMAIN', config.previewDomain],
  ] as const) {
    if (registrable(domain) === own)
      throw new DomainError(
        'CONFIGURATION',
        `${setting} ${domain} must be under another registrable domain than PUBLIC_URL, ${own}`,
      );
  }
}

const registrable = (hostname: string) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
