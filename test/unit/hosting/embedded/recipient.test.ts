import { expect } from 'chai';
import { findRecipient } from '../../../../src/hosting/embedded/requestRecipient.ts';
import { type Host, startHost } from './host.ts';
import { request } from './rawHttp.ts';

const domains = { sitesDomain: 'sites.example.net', previewDomain: 'preview.example.net' };
const recipient = (host: string) => findRecipient(host, 'api.example.com', domains);
const taskId = 'bg-0123456789abcdefghijkl';

describe('findRecipient(host, ownHost, domains)', () => {
  for (const host of [
    'acme.sites.example.net',
    'ACME.Sites.Example.NET',
    'acme.sites.example.net.',
    'acme.sites.example.net.:80',
  ]) {
    it(`recognizes ${host} as a live site`, () => {
      expect(recipient(host)).to.deep.equal({ kind: 'live', label: 'acme' });
    });
  }

  for (const host of [
    `${taskId}--acme-2.preview.example.net`,
    `${taskId.toUpperCase()}--ACME-2.PREVIEW.example.net.:1`,
  ]) {
    it(`recognizes ${host} as a preview`, () => {
      expect(recipient(host)).to.deep.equal({ kind: 'preview', label: 'acme-2', taskId });
    });
  }

  for (const host of ['api.example.com', 'API.example.com.:443', 'localhost', '[::1]:3000']) {
    it(`recognizes ${host} as our own host`, () => {
      expect(recipient(host)).to.deep.equal({ kind: 'own' });
    });
  }

  for (const host of [
    '',
    'example.com',
    'www.api.example.com',
    'api.example.com.evil.com',
    'notlocalhost',
    '127.0.0.1.evil.com',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    'sites.example.net',
    'acme..sites.example.net',
    'a.acme.sites.example.net',
    'acme.sites.example.net.evil.com',
    'ac--me.sites.example.net',
    `${taskId}--acme.sites.example.net`,
    '-acme.sites.example.net',
    'ac_me.sites.example.net',
    `${'a'.repeat(31)}.sites.example.net`,
    'acme.preview.example.net',
    `${taskId}--.preview.example.net`,
    `x-1--acme.preview.example.net`,
    `${taskId}--ac--me.preview.example.net`,
    `x.${taskId}--acme.preview.example.net`,
    'acme.sites.example.net:port',
    'user@acme.sites.example.net',
    'localhost, evil.com',
    'localhost/evil.com',
    '\u212aey.sites.example.net',
  ]) {
    it(`recognizes ${JSON.stringify(host)} as nothing`, () => {
      expect(recipient(host)).to.deep.equal({ kind: 'nobody' });
    });
  }

  it('distinguishes sites and previews under one domain, and under nested ones', () => {
    const one = { sitesDomain: 'example.net', previewDomain: 'example.net' };
    expect(findRecipient('acme.example.net', 'localhost', one)).to.include({ kind: 'live' });
    expect(findRecipient(`${taskId}--acme.example.net`, 'localhost', one)).to.include({
      kind: 'preview',
    });
    const nested = { sitesDomain: 'example.net', previewDomain: 'preview.example.net' };
    expect(findRecipient('preview.example.net', 'localhost', nested)).to.include({ kind: 'live' });
    expect(findRecipient(`${taskId}--acme.preview.example.net`, 'localhost', nested)).to.include({
      kind: 'preview',
    });
  });
});

describe('serveSites by host', () => {
  let host: Host;
  let site: string;
  const withHosts = (...hosts: string[]) =>
    request(
      host.port,
      '/',
      hosts.map((value) => ['Host', value]),
    );

  before(async () => {
    host = await startHost();
    site = `${host.site.label}.sites.localhost`;
    host.team.push({ 'index.html': 'site' });
    await host.hosting.ensureLive(host.site);
  });
  after(() => host.close());

  it('passes requests for our own hosts on, whatever their port', async () => {
    for (const name of [`localhost:${host.port}`, 'localhost', '127.0.0.1:1', '[::1]:80'])
      expect(await withHosts(name), name).to.include({ status: 200, text: 'own' });
  });

  it('answers for a site in any case, with a trailing dot and with any port', async () => {
    for (const name of [site, site.toUpperCase(), `${site}.`, `${site}:81`])
      expect(await withHosts(name), name).to.include({ status: 200, text: 'site' });
  });

  it('rejects every other host with 421', async () => {
    for (const name of [
      'evil.com',
      '',
      'x.localhost',
      `x.${site}`,
      `user@${site}`,
      `${site},evil.com`,
    ]) {
      const { status, text, headers } = await withHosts(name);
      expect({ status, text }, name).to.deep.equal({
        status: 421,
        text: '{"error":"Misdirected Request"}',
      });
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    }
  });

  it('rejects two Host headers, even equal ones', async () => {
    expect((await withHosts(site, 'localhost')).status).to.equal(421);
    expect((await withHosts(site, site)).status).to.equal(421);
  });

  it('ignores X-Forwarded-Host', async () => {
    const forwarded = (value: string, real: string) =>
      request(host.port, '/', [
        ['Host', real],
        ['X-Forwarded-Host', value],
        ['Forwarded', `host=${value}`],
      ]);
    expect((await forwarded('localhost', site)).text).to.equal('site');
    expect((await forwarded(site, 'evil.com')).status).to.equal(421);
  });
});
