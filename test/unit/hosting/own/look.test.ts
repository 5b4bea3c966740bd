/*
 * What goes wrong between a forge, a host and its pages, as tools that wait for previews have met
 * it. The forges' own parts are in test/unit/forges/github and test/endurance/giteaForge.test.ts,
 * those of whole steps in test/activities/ownHost.test.ts.
 */
import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { createGuardedSender } from '../../../../src/callbacks/guardedSend.ts';
import type { GuardedSendOptions } from '../../../../src/callbacks/guardedSend.ts';
import type { DeploymentCheck } from '../../../../src/contract/deployment.ts';
import type { ExternalHost, Site } from '../../../../src/contract/site.ts';
import type { HttpRequest, BuildReport, SendHttp } from '../../../../src/forges/forgeProject.ts';
import { checkDeploymentOnce } from '../../../../src/hosting/external/checkDeployment.ts';
import { randomTaskId } from '../../../../src/temporal/tasks/taskId.ts';
import { type Authority, createAuthority } from '../../../helpers/certificates.ts';
import { ownHost } from '../../../helpers/ownHost.ts';
import { testPages } from '../../../helpers/threads.ts';
import { startReceiver } from '../../callbacks/receiver.ts';

const never = new AbortController().signal;
const text = 'Web design in Oslo';
const page = `<h1>${text}</h1>`;
const at = 'https://acme-git-task.pages.example';
const SECRET = 'open-sesame';
const bypassed = { bypass: { header: 'x-vercel-protection-bypass', credentialId: 'c' } };
const report = (more: Partial<BuildReport> = {}): BuildReport => ({
  of: 'deployment',
  name: 'Preview – site',
  creator: 'vercel[bot]',
  state: 'success',
  url: at,
  logUrl: null,
  ...more,
});

describe('checkDeploymentOnce(places, asked, signal)', () => {
  let reports: BuildReport[];
  let asked: HttpRequest[];
  /** What answers, by address. */
  let online: Record<string, { status?: number; body?: string; headers?: object }>;
  const sent: SendHttp = (request) => {
    asked.push(request);
    const { status = 200, body = '', headers = {} } = online[request.url] ?? { status: 404 };
    return Promise.resolve({ status, headers: { ...headers }, body: Buffer.from(body) });
  };
  beforeEach(() => {
    [reports, asked] = [[report()], []];
    online = { [`${at}/oslo`]: { body: page } };
  });

  /** @returns the page's address, or why there is none (yet) */
  const looked = (
    host: Partial<ExternalHost> = {},
    { until = new Date(Date.now() + 60_000), send = sent, ...more }: Partial<Asked> = {},
  ): Promise<string> => {
    const check = { ...defaultLook, ...more, until };
    const site = { siteId: 's', organizationId: 'o' } as Site;
    const forge = { reports: () => Promise.resolve(reports) };
    const places = { forge, send, pages: testPages, bypass: SECRET };
    return checkDeploymentOnce(places, { site, host: { ...ownHost, ...host }, check }, never).then(
      ({ pages, unverified }) => pages[0]?.url ?? `UNVERIFIED: ${unverified}`,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  };
  type Asked = DeploymentCheck & { until: Date; send: SendHttp };
  const defaultLook: DeploymentCheck = {
    target: 'preview',
    commit: 'c'.repeat(40),
    what: 'the build',
    url: 'https://forge.example/1',
    branch: 'bg-task',
    pages: [{ slug: '/oslo', paths: ['/oslo', '/oslo/'], texts: [text] }],
  };
  const over = { until: new Date(0) };

  it('says that the URL of a page is not known, once the build is done', async () => {
    const pages = [{ slug: '/content/x', paths: [], texts: [text] }];
    expect(await looked({}, { pages })).to.match(
      /^UNVERIFIED: The URL of the preview of \/content\/x is not known .*add a rule/,
    );
    reports = [report({ state: 'pending' })];
    expect(await looked({}, { pages })).to.match(/^STILL_BUILDING/);
    reports = [report({ state: 'failure' })];
    expect(await looked({}, { pages })).to.match(/^BUILD_FAILED/);
  });

  it('waits for the other pages if the URL of the first one is not known', async () => {
    const unknown = { slug: '/content/x', paths: [], texts: [text] };
    const pages = [unknown, ...defaultLook.pages];
    online = {};
    expect(await looked({}, { pages })).to.match(/^STILL_BUILDING/);
    online = { [`${at}/oslo`]: { body: page } };
    expect(await looked({}, { pages })).to.match(/^UNVERIFIED: .*\/content\/x is not known/);
    expect(asked.at(-1)?.url).to.equal(`${at}/oslo`);
  });

  describe('reports', () => {
    it('are counted without a combined state: if nobody reported, the page is still expected', async () => {
      reports = [];
      expect(await looked()).to.match(/^STILL_BUILDING: .*\/oslo\b/);
      expect(await looked({}, over)).to.match(/^UNVERIFIED: .*\bpreview\b.*\/oslo\b/);
    });

    it('of several projects count by their environment, with an en dash, and by reporter', async () => {
      const docs = report({ name: 'Preview – docs', state: 'failure', url: null });
      const fake = report({ creator: 'mallory', url: 'https://mallory.pages.example' });
      reports = [docs, fake, report({ state: 'pending', url: null })];
      online['https://mallory.pages.example/oslo'] = { body: page };
      const named = { previewReports: ['Preview – site'], reporter: 'vercel[bot]' };
      expect(await looked(named)).to.match(/^STILL_BUILDING/);
      expect(asked).to.deep.equal([]);
      reports = [docs, fake, report()];
      expect(await looked(named)).to.equal(`${at}/oslo`);
      expect(await looked({ ...named, previewReports: ['Preview - site'] })).to.match(
        /^STILL_BUIL/,
      );
    });

    it('of one failed build among several end nothing while another one runs or succeeded', async () => {
      const failed = report({ name: 'Preview – docs', state: 'failure', logUrl: 'https://log/' });
      reports = [failed, report({ state: 'pending' })];
      expect(await looked()).to.match(/^STILL_BUILDING/);
      reports = [failed, report()];
      expect(await looked()).to.equal(`${at}/oslo`);
      reports = [failed];
      expect(await looked()).to.match(/^BUILD_FAILED: .*Preview – docs\b.* https:\/\/log\//);
      reports = [report({ state: 'failure', url: null })];
      expect(await looked()).to.match(/^BUILD_FAILED: .* site\).* https:\/\/forge.example\/1$/);
    });

    it('of only skipped builds end the wait at once, without a URL', async () => {
      reports = [report({ state: 'skipped', url: null })];
      expect(await looked()).to.match(/^UNVERIFIED: .*\bskipped\b.*\/oslo\b.*\(the build\)$/);
    });

    it('of a production build that was skipped for a newer one leave the live page to be verified', async () => {
      reports = [report({ state: 'skipped', url: null })];
      const live = { target: 'live' as const };
      expect(await looked({}, live)).to.match(/^UNVERIFIED: .*\bskipped\b/);
      const host = { liveUrl: 'https://www.pages.example' };
      expect(await looked(host, live)).to.match(/^STILL_BUILDING/);
      online['https://www.pages.example/oslo'] = { body: page };
      expect(await looked(host, live)).to.equal('https://www.pages.example/oslo');
    });

    it('of somebody who may push name no URL on another host, however it is spelt', async () => {
      for (const url of [
        'https://pages.example.evil.example',
        'https://evilpages.example',
        'https://pages.example@evil.example',
        'https://a:b@x.pages.example',
        'http://x.pages.example',
        'https://x.pages.example:8443',
        'https://169.254.169.254',
        'javascript:alert(1)//x.pages.example',
      ]) {
        reports = [report({ url })];
        expect(await looked(), url).to.match(/\b1 report/);
      }
      expect(asked).to.deep.equal([]);
    });
  });

  describe('a page', () => {
    it('that shows the previous commit, as pull request URLs may, is not accepted', async () => {
      online[`${at}/oslo`] = { body: '<h1>Web design in Bergen</h1>' };
      expect(await looked())
        .to.match(/^STILL_BUILDING: .*\/oslo\b/)
        .and.include(at);
      expect(await looked({}, over))
        .to.match(/^UNVERIFIED: .*\bpreview\b.*\/oslo\b/)
        .and.include(at);
      online[`${at}/oslo`] = { body: page };
      expect(await looked()).to.equal(`${at}/oslo`);
    });

    it('behind a login is verified with the secret of the site, and not without it', async () => {
      const send: SendHttp = (request, signal) =>
        request.headers?.['x-vercel-protection-bypass'] === SECRET
          ? sent(request, signal)
          : Promise.resolve({ status: 401, headers: {}, body: Buffer.from(page) });
      expect(await looked({}, { send })).to.match(/^STILL_BUILDING/);
      expect(await looked(bypassed, { send })).to.equal(`${at}/oslo`);
    });

    it('gets the secret only on the hosts of the site, and never behind a redirect', async () => {
      const elsewhere = 'https://elsewhere.example';
      reports = [report({ url: elsewhere }), report({ name: 'other' })];
      online[`${at}/oslo`] = { status: 307, headers: { location: `${elsewhere}/oslo` } };
      online[`${elsewhere}/oslo`] = { body: page };
      expect(await looked(bypassed)).to.match(/^STILL_BUILDING/);
      expect(asked.map(({ url }) => url)).to.deep.equal([`${at}/oslo`, `${at}/oslo/`]);
      for (const { headers } of asked)
        expect(headers).to.deep.equal({ 'x-vercel-protection-bypass': SECRET });
      // a template may have been stored before its host was taken back
      const host = { ...bypassed, previewUrl: `${elsewhere}/{branch}` };
      online[`${elsewhere}/bg-task/oslo`] = { body: page };
      expect(await looked(host)).to.equal(`${elsewhere}/bg-task/oslo`);
      expect(asked.at(-1)?.headers).to.deep.equal({});
    });

    it('at Cloudflare has the branch as its alias, which is cut at 28 characters', async () => {
      const branch = randomTaskId();
      expect(branch).to.match(/^[a-z0-9](?:[a-z0-9-]{0,26}[a-z0-9])$/);
      reports = [];
      online[`https://${branch}.acme.pages.example/oslo`] = { body: page };
      const host = { previewUrl: 'https://{branch}.acme.pages.example' };
      expect(await looked(host, { branch })).to.equal(`https://${branch}.acme.pages.example/oslo`);
    });

    it('at Netlify is under the number of the pull request', async () => {
      reports = [];
      online['https://deploy-preview-7--acme.pages.example/oslo'] = { body: page };
      const host = { previewUrl: 'https://deploy-preview-{pullRequest}--acme.pages.example' };
      expect(await looked(host, { pullRequest: 7 })).to.equal(
        'https://deploy-preview-7--acme.pages.example/oslo',
      );
    });

    it('at GitHub Pages is live when the deployment to github-pages is, and has no preview', async () => {
      reports = [];
      const host = { liveReports: ['github-pages'] };
      expect(await looked(host, over)).to.match(/^UNVERIFIED: .*\bpreview\b.*\/oslo\b/);
      reports = [report({ name: 'github-pages', creator: 'github-actions[bot]' })];
      expect(await looked(host, { target: 'live' })).to.equal(`${at}/oslo`);
    });
  });

  describe('through the guard of callbacks', () => {
    const name = 'preview.pages.example';
    let authority: Authority;
    before(async () => (authority = await createAuthority()));
    const receive = async (answer: RequestListener) =>
      startReceiver(await authority.issue({ dns: [name] }), answer);
    const sending = (options: Partial<GuardedSendOptions>) => {
      const guard = { allowPrivate: false, ownHosts: [], ca: authority.ca };
      const resolve = () => Promise.resolve(['127.0.0.1']);
      const sender = createGuardedSender({ ...guard, resolve, ...options });
      return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
    };
    const hostAt = (port: number) => {
      const own = { ...bypassed, hosts: [`${name}:${port}`] };
      return { ...own, previewUrl: `https://${name}:${port}` };
    };

    it('requests nothing from a trusted host whose name has a private address', async () => {
      await using receiver = await receive((_, response) => response.end(page));
      await using sender = sending({});
      expect(await looked(hostAt(receiver.port), { send: sender.send })).to.match(/^STILL_BUILD/);
      expect(receiver.connections).to.have.length(0);
    });

    it('follows no redirect, not even to an address of this machine', async () => {
      await using target = await receive((_, response) => response.end(page));
      await using receiver = await receive((_, response) =>
        response.writeHead(302, { location: `https://${name}:${target.port}/oslo` }).end(),
      );
      await using sender = sending({ isAllowedAddress: (address) => address === '127.0.0.1' });
      expect(await looked(hostAt(receiver.port), { send: sender.send })).to.match(/^STILL_BUILD/);
      expect(receiver.received[0]?.headers).to.include({ 'x-vercel-protection-bypass': SECRET });
      expect(target.connections).to.have.length(0);
    });
  });
});
