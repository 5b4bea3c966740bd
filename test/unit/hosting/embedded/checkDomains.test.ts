import { expect } from 'chai';
import { DomainError } from '../../../../src/errors.ts';
import { checkDomains, domainWarnings } from '../../../../src/hosting/embedded/checkDomains.ts';

const check = (
  publicUrl: string | undefined,
  sitesDomain: string,
  previewDomain = sitesDomain,
  production = true,
) => checkDomains({ publicUrl, sitesDomain, previewDomain, production });

describe('checkDomains(config)', () => {
  it('accepts separate domains', () => {
    check('https://api.example.com', 'example-sites.com');
    check('https://api.example.co.uk', 'other.co.uk');
    check('https://tasks.fly.dev', 'sites.fly.dev');
    check('https://10.0.0.1', 'example.com');
    check(undefined, 'sites.localhost', 'preview.localhost');
  });

  for (const [publicUrl, domain] of [
    ['https://api.example.com', 'sites.example.com'],
    ['https://example.com:8443', 'example.com'],
    ['https://api.example.co.uk', 'sites.example.co.uk'],
    ['http://localhost:3000', 'localhost'],
  ] as const) {
    it(`rejects ${domain} beside ${publicUrl} in production only`, () => {
      expect(() => check(publicUrl, domain, 'other.net')).to.throw(
        DomainError,
        `SITES_DOMAIN ${domain}`,
      );
      expect(() => check(publicUrl, 'other.net', domain)).to.throw(
        DomainError,
        `PREVIEW_DOMAIN ${domain}`,
      );
      check(publicUrl, domain, domain, false);
    });
  }
});

describe('domainWarnings(config)', () => {
  const warnings = (sitesDomain: string, previewDomain: string, production = true) =>
    domainWarnings({
      publicUrl: 'https://api.example.com',
      sitesDomain,
      previewDomain,
      production,
    });

  it('names the settings whose domains are not public suffixes, and the consequences', () => {
    const [sites, previews, ...more] = warnings('acme-sites.example', 'acme-previews.example');
    expect(sites).to.match(
      /^SITES_DOMAIN acme-sites\.example .*\bpublic suffix\b.*\bcookies\b.* 431 /,
    );
    expect(previews).to.match(
      /^PREVIEW_DOMAIN acme-previews\.example .*\bpublic suffix\b.*\bcookies\b.* 431 /,
    );
    expect(more).to.be.empty;
  });

  for (const domain of ['sites.github.io', 'example.com', '127.0.0.1'])
    it(`warns about ${domain} in production only`, () => {
      expect(warnings(domain, 'github.io')).to.have.length(1);
      expect(warnings('github.io', domain)[0]).to.match(/^PREVIEW_DOMAIN/);
      expect(warnings(domain, domain, false)).to.be.empty;
    });

  for (const domain of ['github.io', 'co.uk', 'kobe.jp', 'localhost', 'github.io.'])
    it(`does not warn about ${domain}`, () => expect(warnings(domain, domain)).to.be.empty);
});
