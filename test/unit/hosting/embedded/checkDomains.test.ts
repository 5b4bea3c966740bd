import { expect } from 'chai';
import { DomainError } from '../../../../src/errors.ts';
import { checkDomains } from '../../../../src/hosting/embedded/checkDomains.ts';

const check = (publicUrl: string | undefined, sitesDomain: string, previewDomain = sitesDomain, production = true) =>
  checkDomains({ publicUrl, sitesDomain, previewDomain, production });

describe('checkDomains(config)', () => {
  it('accepts domains of their own', () => {
    check('https://api.example.com', 'example-sites.com');
    check('https://api.example.co.uk', 'other.co.uk');
    check('https://tasks.fly.dev', 'sites.fly.dev');
    check('https://10.0.0.1', 'example.com');
    check(undefined, 'sites.localhost', 'preview.localhost');
  });

  for (const [publicUrl, domain] of [
    ['https://api.example.com', 'sites.example.com'],
    ['https://example.com:8443', 'example.com'],
    ['https://www.example.com', 'example.com'],
    ['https://api.example.co.uk', 'sites.example.co.uk'],
    ['http://localhost:3000', 'localhost'],
  ] as const) {
    it(`refuses ${domain} beside ${publicUrl} in production only`, () => {
      expect(() => check(publicUrl, domain, 'other.net')).to.throw(DomainError, `SITES_DOMAIN ${domain}`);
      expect(() => check(publicUrl, 'other.net', domain)).to.throw(DomainError, `PREVIEW_DOMAIN ${domain}`);
      check(publicUrl, domain, domain, false);
    });
  }
});
