import { expect } from 'chai';
import { parseCallbackUrl } from '../../../src/callbacks/callbackPolicy.ts';
import type { ExternalHost } from '../../../src/contract/site.ts';
import {
  type ExternalHostInput,
  type HostSource,
  parseExternalHost,
  missingSecretProblem,
} from '../../../src/forges/externalHost.ts';

const rules = (allowPrivate = false) => ({
  allowPrivate,
  checkUrl: (url: string) =>
    parseCallbackUrl(url, { allowPrivate, ownHosts: ['api.example.com', '.sites.example'] }),
});
const source: HostSource = { ...rules(), repositoryUrl: 'https://git.team.com/acme/site.git' };
const given: ExternalHostInput = {
  forge: 'gitea',
  publish: 'pull-request',
  hosts: ['*.acme.pages.dev', 'www.acme.com'],
};
const read = (more: Partial<ExternalHostInput> = {}, from: Partial<HostSource> = {}) =>
  parseExternalHost({ ...given, ...more }, { ...source, ...from });
const errorOf = (more: Partial<ExternalHostInput>, from: Partial<HostSource> = {}): string => {
  try {
    read(more, from);
  } catch (error) {
    expect(error).to.include({ code: 'INVALID_INPUT' });
    return (error as Error).message;
  }
  return '';
};
const known: ExternalHost = {
  ...read().settings,
  bypass: { header: 'x-bypass', credentialId: 'c' },
  webhook: { credentialId: 'w' },
};

describe('parseOwnHost(given, source)', () => {
  it('takes the other values from the URL of the repository, or the usual ones', () => {
    expect(read()).to.deep.equal({
      settings: {
        forge: 'gitea',
        apiUrl: 'https://git.team.com/api/v1',
        project: 'acme/site',
        publish: 'pull-request',
        merge: 'by-people',
        previewReports: [],
        liveReports: [],
        reporter: null,
        hosts: ['*.acme.pages.dev', 'www.acme.com'],
        previewUrl: null,
        liveUrl: null,
        pageUrls: [],
        buildMinutes: 10,
        hasPreviews: true,
        publishWindow: 20,
      },
      bypass: null,
    });
  });

  for (const [forge, repositoryUrl, apiUrl, project = 'acme/site'] of [
    ['github', 'https://github.com/acme/site.git', 'https://api.github.com'],
    ['github', 'https://www.github.com/acme/site', 'https://api.github.com'],
    ['github', 'https://git.team.com/acme/site.git', 'https://git.team.com/api/v3'],
    ['github', 'https://acme.ghe.com/acme/site', 'https://api.acme.ghe.com'],
    ['forgejo', 'https://git.team.com:8443/acme/site', 'https://git.team.com:8443/api/v1'],
    [
      'gitea',
      'https://team.com/git/acme/s.i-t_e.git',
      'https://team.com/git/api/v1',
      'acme/s.i-t_e',
    ],
    [
      'gitlab',
      'https://gitlab.com/acme/web/shop/site.git',
      'https://gitlab.com/api/v4',
      'acme/web/shop/site',
    ],
  ] as const)
    it(`finds the API of ${forge} for ${repositoryUrl}`, () => {
      expect(read({ forge }, { repositoryUrl }).settings).to.include({ apiUrl, project });
    });

  it('finds the project below the path of a GitLab instance, whose API is named', () => {
    const repositoryUrl = 'https://git.team.com/gitlab/acme/web/site.git';
    const apiUrl = 'https://git.team.com/gitlab/api/v4/';
    const { settings } = read({ forge: 'gitlab', apiUrl }, { repositoryUrl });
    expect(settings).to.include({ apiUrl: apiUrl.slice(0, -1), project: 'acme/web/site' });
    const known = { host: { ...settings }, repositoryUrl };
    const changed = read({ forge: 'gitlab', buildMinutes: 20 }, { repositoryUrl, known });
    expect(changed.settings).to.deep.equal({ ...settings, buildMinutes: 20 });
  });

  it('takes the ID of a project at GitLab, and at no other forge', () => {
    expect(read({ forge: 'gitlab', project: '278964' }).settings.project).to.equal('278964');
    expect(() => read({ project: '278964' })).to.throw(/host\.project must be owner\/name\b/);
  });

  for (const [what, more, message, from = {}] of [
    ['no forge', { forge: undefined, hosts: undefined }, /host\.forge\b.*; host\.hosts\b/],
    [
      'an ssh address',
      {},
      /host\.type own\b.*\bhttps\b/,
      { repositoryUrl: 'git@git.team.com:acme/site.git' },
    ],
    [
      'an address without an owner',
      {},
      /host\.project\b.*owner\/name/,
      { repositoryUrl: 'https://git.team.com/site.git' },
    ],
    ['a project that is a path', { project: '../site' }, /host\.project\b.*owner\/name/],
    [
      'an API elsewhere, where the token would go',
      { apiUrl: 'https://evil.example.net/api/v1' },
      /host\.apiUrl\b.*\bgit\.team\.com\b.*\bapi\.git\.team\.com/,
    ],
    ['an API without https', { apiUrl: 'http://git.team.com/api/v1' }, /host\.apiUrl\b.*\bhttps\b/],
    ['all of co.uk', { hosts: ['a.acme.com', '*.co.uk'] }, /host\.hosts\[1\].*\*\.co\.uk/],
    ['a URL', { hosts: ['https://acme.com'] }, /host\.hosts\[0\].*\*\.pages\.example/],
    ['an address', { hosts: ['93.184.216.34'] }, /host\.hosts\[0\].*\bIP address\b/],
    [
      'an internal name',
      { hosts: ['localhost', 'db.internal'] },
      /host\.hosts\[0\].*\binternal; host\.hosts\[1\]/,
    ],
    [
      "the service's own name",
      { hosts: ['api.example.com'] },
      /host\.hosts\[0\].*\bthis service\b/,
    ],
    [
      'a preview without a placeholder',
      { previewUrl: 'https://www.acme.com/' },
      /host\.previewUrl\b.*\{branch\} or \{pullRequest\}/,
    ],
    [
      'a preview elsewhere',
      { previewUrl: 'https://{branch}.evil.com/' },
      /host\.previewUrl\b.*\bhost\.hosts\b/,
    ],
    [
      'a placeholder for the domain',
      { previewUrl: 'https://www.{branch}.com/' },
      /host\.previewUrl\b.*\bhost\.hosts\b/,
    ],
    [
      'a label that is too long',
      { previewUrl: `https://{branch}-${'a'.repeat(38)}.acme.pages.dev/` },
      /host\.previewUrl\b.*\b25\b/,
    ],
    [
      'a pull request where there is none',
      { publish: 'push', previewUrl: 'https://{pullRequest}.acme.pages.dev/' },
      /host\.previewUrl\b.*\{pullRequest\}/,
    ],
    [
      'an address of metadata',
      { liveUrl: 'https://169.254.169.254/' },
      /host\.liveUrl\b.*\blink-local\b/,
    ],
    [
      'a header for credentials',
      { bypass: { header: 'Authorization', value: 'x' } },
      /host\.bypass\.header\b/,
    ],
    ['a header without its value', { bypass: { header: 'x-bypass' } }, /host\.bypass\.value\b/],
    [
      'shared hosts that would get the secret',
      { hosts: ['*.vercel.app'], bypass: { header: 'x-bypass', value: 'x' } },
      /host\.reporter\b.*\bhost\.bypass\b/,
    ],
  ] as [string, ExternalHostInput, RegExp, Partial<HostSource>?][])
    it(`rejects ${what}, and says what it expects`, () => {
      expect(errorOf(more, from))
        .to.match(message)
        .and.match(/^Invalid request body: host\./);
    });

  it('names every wrong field at once, and never the secret', () => {
    const message = errorOf({
      hosts: ['*.com'],
      liveUrl: 'nowhere',
      bypass: { header: 'Host', value: 'the-secret-4711' },
    });
    expect(message).to.match(/host\.hosts\[0\].*; host\.liveUrl.*; host\.bypass\.header/);
    expect(message).to.not.include('4711');
  });

  it('spells hosts as URLs do, each once', () => {
    const { settings } = read({ hosts: ['WWW.Acme.com', 'www.acme.com', '*.bücher.example.net'] });
    expect(settings.hosts).to.deep.equal(['www.acme.com', '*.xn--bcher-kva.example.net']);
  });

  it('accepts URL templates of previews on the hosts', () => {
    const urls = ['https://{branch}.acme.pages.dev', 'https://www.acme.com/pr-{pullRequest}/'];
    for (const previewUrl of urls)
      expect(read({ previewUrl, liveUrl: 'https://www.acme.com/' }).settings).to.include({
        previewUrl,
      });
  });

  it('accepts shared hosts with a secret if the reporter is named', () => {
    const bypass = { header: 'X-Vercel-Protection-Bypass', value: 'x' };
    const { settings, bypass: made } = read({
      hosts: ['*.vercel.app'],
      reporter: 'vercel[bot]',
      bypass,
    });
    expect([settings.hosts, made]).to.deep.equal([
      ['*.vercel.app'],
      { header: 'x-vercel-protection-bypass', value: 'x' },
    ]);
  });

  it('accepts hosts of this machine if the operator allows private addresses', () => {
    const repositoryUrl = 'https://localhost:3443/acme/site.git';
    const hosts = ['localhost:8080', '*.preview.localhost', '127.0.0.1:81'];
    const previewUrl = 'http://{branch}.preview.localhost/';
    const { settings } = read({ hosts, previewUrl }, { ...rules(true), repositoryUrl });
    expect(settings).to.deep.include({
      hosts,
      previewUrl,
      apiUrl: 'https://localhost:3443/api/v1',
    });
  });

  describe('of a site that has one', () => {
    const change = (more: ExternalHostInput, repositoryUrl = source.repositoryUrl) =>
      parseExternalHost(more, {
        ...source,
        repositoryUrl,
        known: { host: known, repositoryUrl: source.repositoryUrl },
      });

    it('keeps absent fields and the secret', () => {
      const { settings, bypass } = change({ buildMinutes: 20 });
      expect(settings).to.deep.equal({ ...read().settings, buildMinutes: 20 });
      expect(bypass).to.deep.equal({ header: 'x-bypass' });
      expect(change({ bypass: null }).bypass).to.equal(null);
    });

    it('finds another API for another repository or forge', () => {
      expect(change({}, 'https://other.team.com/acme/new.git').settings).to.include({
        apiUrl: 'https://other.team.com/api/v1',
        project: 'acme/new',
      });
      expect(change({ forge: 'github' }).settings.apiUrl).to.equal('https://git.team.com/api/v3');
    });

    it('does not send the secret to another host or under another name without an order', () => {
      const host = 'evil.example.net';
      for (const [more, problem] of [
        [{ hosts: [...known.hosts, host] }, missingSecretProblem(host)],
        [{ bypass: { header: 'x-other' } }, missingSecretProblem()],
      ] as [ExternalHostInput, string][])
        expect(() => change(more)).to.throw(problem);
      expect(change({ hosts: ['www.acme.com'] }).bypass).to.deep.equal({ header: 'x-bypass' });
    });
  });
});
