import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { createSiteSettings } from '../../src/api/siteSettings.ts';
import { parseCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import { createGuardedSender } from '../../src/callbacks/guardedSend.ts';
import { createForgeRegistry } from '../../src/forges/forges.ts';
import type { AuditRecord } from '../../src/organizations/audit.ts';
import { createCredentials } from '../../src/organizations/credentials.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSecretBox } from '../../src/organizations/secretBox.ts';
import { createSiteList } from '../../src/organizations/siteList.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { bearer, keys, startApi, type TestApi } from '../helpers/api.ts';
import { type BranchHost, startBranchHost } from '../helpers/branchHost.ts';
import { createAuthority } from '../helpers/certificates.ts';
import { testDatabase } from '../helpers/database.ts';
import {
  type GitHubServer,
  goodToken,
  project,
  startGitHubEnterprise,
} from '../helpers/githubServer.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { formsOf } from '../helpers/secretForms.ts';
import { git, Workplace } from '../helpers/team/workplace.ts';
import { testPages } from '../helpers/threads.ts';
import { pushDenied } from '../../src/api/hostFindings.ts';

const appKeys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' }, // as GitHub gives it
});
const app = { type: 'github-app', appId: '4711', privateKey: appKeys.privateKey };
const bypass = { header: 'x-open-previews', value: 'open-sesame-4711' };

interface Finding {
  code: string;
  message: string;
}

const hostIn = ({ json }: { json: Record<string, unknown> }) =>
  json['host'] as { problems: Finding[]; warnings: Finding[]; proof: object | null } | undefined;

/** Lines of a private key, each of which would give it away. */
const keyLines = (key: string) => key.split('\n').filter((line) => /^[\w+/=]{40,}$/.test(line));

describe('a site with a repository on GitHub', function () {
  this.timeout(120_000);
  const trusted = tls.getCACertificates('default');
  const place = new Workplace();
  const remote = join(place.folder, `${project}.git`);
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  const running = new Set<string>();
  const entries: AuditRecord[] = [];
  let github: GitHubServer & { url: string };
  let pages: BranchHost;
  let elsewhere: BranchHost;
  let api: TestApi;
  let stores: Awaited<ReturnType<typeof open>>;

  async function open() {
    const db = await testDatabase();
    const credentials = createCredentials(
      db,
      createSecretBox([{ id: 'a', key: Buffer.alloc(32, 1) }]),
    );
    const forges = createForgeRegistry({ send: sender.send });
    const never = new AbortController().signal;
    const repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
      openCredential: async (id, url) =>
        forges.gitCredentialAt(url, await credentials.open(id), never),
      allowed: () => Promise.resolve(null),
    });
    const sites = createSites(db, { most: 100 });
    const policy = { allowPrivate: true, ownHosts: ['own.example'] };
    const siteSettings = createSiteSettings({
      sites,
      credentials,
      forGit: (credential, url) => forges.gitCredentialAt(url, credential, never),
      repositories,
      pages: testPages,
      hosting: { ensureLive: () => Promise.resolve() },
      hasRunningTasks: (siteId) => Promise.resolve(running.has(siteId)),
      addressRules: {
        allowPrivate: true,
        checkUrl: (given) => parseCallbackUrl(given, policy),
      },
      openForge: (at, credential) => forges.open(at, credential),
      send: sender.send,
    });
    const { organizationId } = await createOrganizations(db).create({ name: 'Team' });
    return {
      db,
      sites,
      siteList: createSiteList(db),
      credentials,
      repositories,
      siteSettings,
      organizationId,
    };
  }

  before(async () => {
    place.push({ 'index.html': '<title>Acme bakes</title><h1>Home</h1>' });
    mkdirSync(join(place.folder, 'team'));
    git(place.folder, 'clone', '-q', '--bare', place.remote, remote);
    git(remote, 'config', 'http.receivepack', 'true');
    const authority = await createAuthority();
    tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
    const certificate = await authority.issue({ ip: ['127.0.0.1'] });
    github = await startGitHubEnterprise(appKeys, { folder: place.folder, certificate });
    elsewhere = await startBranchHost(remote, certificate);
    const login = `${elsewhere.url}/login`;
    pages = await startBranchHost(remote, certificate, { secret: bypass, login });
    stores = await open();
    const identity = () =>
      Promise.resolve({
        keyId: randomUUID(),
        organizationId: stores.organizationId,
        role: 'admin' as const,
      });
    api = await startApi({
      ...stores,
      keys: { authenticate: identity, identify: identity },
      audit: {
        record: (entry) => Promise.resolve(void entries.push(entry)),
        list: () => Promise.reject(new Error('not asked for')),
        prune: () => Promise.reject(new Error('not asked for')),
      },
    });
  });
  beforeEach(() => running.clear());
  after(async () => {
    tls.setDefaultCACertificates(trusted);
    await api?.close();
    await stores?.repositories.close();
    await Promise.all([pages?.close(), elsewhere?.close(), github?.[Symbol.asyncDispose]()]);
    await sender.close();
    await place.remove();
  });

  const call = async (method: string, path: string, body?: object) => {
    const reply = await api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(keys.admin), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    said.push(reply.text.replace(/"webhookSecret":"[^"]+"/, ''));
    return reply;
  };
  /** What is kept of sites and credentials. */
  const traces = async () => [
    (await stores.sites.idsOf(stores.organizationId)).toSorted(),
    await stores.db
      .selectFrom('site_credentials')
      .select('id')
      .where('organization_id', '=', stores.organizationId)
      .orderBy('id')
      .execute(),
  ];
  const repository = (changes: object = {}) => ({
    url: `${github.url}/${project}.git`,
    credential: app,
    ...changes,
  });
  const host = (changes: object = {}) => ({
    type: 'own',
    forge: 'github',
    publish: 'push',
    hosts: [pages.host],
    previewUrl: `${pages.url}/{branch}`,
    liveUrl: `${pages.url}/main/`,
    bypass,
    ...changes,
  });
  const create = (own: object = host(), at: object = repository()) =>
    call('POST', '/sites', { name: 'Acme', repository: at, host: own });

  const pem = '-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0LWtleQ==\n-----END RSA PRIVATE KEY-----';
  const secrets = [bypass.value, goodToken, 'c2VjcmV0LWtleQ==', ...keyLines(appKeys.privateKey)];
  const forms = secrets.flatMap((text) => formsOf(text, 'x-access-token'));
  const said: string[] = [];
  afterEach(() => {
    const all = JSON.stringify([said, api.logs, entries]);
    expect(forms.filter((form) => all.includes(form))).to.deep.equal([]);
  });

  it('is connected with a GitHub App, whose tokens git and the API use', async () => {
    const made = await create();
    expect(made.status, made.text).to.equal(201);
    const { siteId, webhookSecret, host: own } = made.json as Record<string, string>;
    expect(own).to.deep.include({
      type: 'own',
      forge: 'github',
      apiUrl: github.apiUrl,
      project,
      publish: 'push',
      merge: 'by-people',
      previewReports: [],
      liveReports: [],
      reporter: null,
      hosts: [pages.host],
      previewUrl: `${pages.url}/{branch}`,
      liveUrl: `${pages.url}/main/`,
      bypass: { header: bypass.header },
      buildMinutes: 10,
      webhookUrl: `https://api.example.com/api/v1/webhooks/forges/${siteId}`,
    });
    expect(webhookSecret).to.match(/^whsec_/);
    const shown = await call('GET', `/sites/${siteId}`);
    expect(shown.json['repository']).to.deep.include({ access: 'github-app' });
    expect(shown.text).to.not.include(webhookSecret);
    secrets.push(webhookSecret!);
  });

  it('sends the secret for protected previews to the trusted hosts, and not to their redirects', async () => {
    const at = () => call('POST', '/sites/check', { repository: repository(), host: host() });
    expect(hostIn(await at())?.proof).to.include({ status: 200, title: 'Acme bakes' });
    expect(pages.asked.at(-1)!.headers).to.include({ [bypass.header]: bypass.value });
    const report = { id: 1, state: 'success', context: 'host', creator: { login: 'anyone' } };
    const { main } = github.state.branches;
    github.state.statuses[main!] = [{ ...report, target_url: `${pages.url}/none/` }];
    expect(hostIn(await at())).to.deep.include({
      proof: {
        commit: main,
        name: 'host',
        url: `${pages.url}/none/`,
        status: 302,
        title: null,
      },
    });
    github.state.statuses[main!] = [{ ...report, target_url: `${elsewhere.url}/main/` }];
    const { warnings } = hostIn(await at())!;
    expect(warnings.map(({ code }) => code)).to.include('hosts');
    expect(elsewhere.asked).to.deep.equal([]);
    github.state.statuses = {};
  });

  const none = () => repository({ url: `${github.url}/team/nothing.git` });
  const wrong: [
    what: string,
    status: number,
    says: RegExp,
    own: () => object,
    at?: () => object,
  ][] = [
    [
      'a key that is none',
      409,
      /GitHub App .*\bprivate key\b.*\bPEM\b/,
      host,
      () => repository({ credential: { ...app, privateKey: pem } }),
    ],
    [
      'an installation that there is not',
      409,
      /^The GitHub App .*status 404/,
      host,
      () => repository({ credential: { ...app, installationId: '12' } }),
    ],
    ['an app that is not installed there', 409, /installed for this repository/, host, none],
    [
      'a branch that there is not',
      409,
      /^The repository has no branch "trunk"\. Choose one of its branches: main\.$/,
      host,
      () => repository({ branch: 'trunk' }),
    ],
    [
      'another project',
      409,
      /^The project team\/other was not found, or the credential has no access to it \(.*404.*\)\.$/,
      () => host({ project: 'team/other' }),
    ],
    [
      'an API elsewhere, which would get the token',
      400,
      /host\.apiUrl\b.*\b127\.0\.0\.1/,
      () => host({ apiUrl: 'https://api.github.com' }),
    ],
    [
      'no credential',
      400,
      /host\.type own .*repository\.credential.*token.*GitHub App/,
      host,
      () => repository({ credential: null }),
    ],
    [
      'a GitHub App for a forge that has none',
      400,
      /host\.forge gitlab .*repository\.credential.*: a token$/,
      () => host({ forge: 'gitlab' }),
    ],
    [
      'a preview at no believed host',
      400,
      /host\.previewUrl\b.*\bhost\.hosts/,
      () => host({ previewUrl: 'https://{branch}.elsewhere.example' }),
    ],
  ];
  for (const [what, status, says, own, at = repository] of wrong)
    it(`is rejected with ${what} with the texts of the check, and leaves nothing`, async () => {
      const before = await traces();
      const made = await create(own(), at());
      expect(made.status, made.text).to.equal(status);
      expect(made.json['error']).to.match(says);
      const checked = await call('POST', '/sites/check', { repository: at(), host: own() });
      const problems = [
        ...((checked.json['problems'] ?? []) as Finding[]),
        ...(hostIn(checked)?.problems ?? []),
      ];
      const words = problems.map(({ message }) => message).join(' ');
      expect(checked.status === 200 ? words : checked.json['error']).to.equal(made.json['error']);
      expect(await traces()).to.deep.equal(before);
    });

  describe('that changes', () => {
    let siteId: string;
    const change = (own: object) => call('PATCH', `/sites/${siteId}`, { host: own });
    const hostNow = async () => (await call('GET', `/sites/${siteId}`)).json['host'] as object;
    const credentialIds = async () => (await traces())[1];
    before(async () => {
      const made = await call('POST', '/sites', { name: 'Moves', repository: repository() });
      expect(made.json['host'], made.text).to.deep.equal({ type: 'embedded' });
      expect(made.json).to.not.have.property('webhookSecret');
      siteId = made.json['siteId'] as string;
    });

    it('moves from the embedded host to an external one with a webhook secret, and back without keeping it', async () => {
      const before = await credentialIds();
      const own = await change(host());
      expect(own.status, own.text).to.equal(200);
      expect(own.json['webhookSecret']).to.match(/^whsec_/);
      expect(own.json['host']).to.deep.include({ publish: 'push', project });
      expect(await credentialIds()).to.have.length(before!.length + 2); // bypass and webhook
      const back = await change({ type: 'embedded' });
      expect(back.json['host']).to.deep.equal({ type: 'embedded' });
      expect(back.json).to.not.have.property('webhookSecret');
      expect(await credentialIds()).to.deep.equal(before);
      const again = await change(host());
      expect(again.json['webhookSecret'])
        .to.match(/^whsec_/)
        .and.not.equal(own.json['webhookSecret']);
    });

    for (const changes of [
      { publish: 'pull-request' },
      { previewUrl: null, liveUrl: null },
      { bypass: null },
      {
        merge: 'automatic',
        previewReports: ['Preview – acme'],
        liveReports: ['Production'],
        reporter: 'vercel[bot]',
        pageUrls: [{ folder: 'src/content/blog', pattern: '/blog/:slug' }],
        buildMinutes: 3,
      },
    ])
      it(`changes only ${Object.keys(changes).join(', ')}, and keeps the rest`, async () => {
        const before = await hostNow();
        const changed = await change({ type: 'own', ...changes });
        expect(changed.status, changed.text).to.equal(200);
        expect(changed.json).to.not.have.property('webhookSecret');
        expect(await hostNow()).to.deep.equal({ ...before, ...changes });
      });

    it('changes its hosts, but sends the stored secret to no new host', async () => {
      expect((await change({ type: 'own', bypass })).status).to.equal(200);
      const added = await change({ type: 'own', hosts: [pages.host, 'new.example'] });
      expect([added.status, added.json['error']]).to.deep.equal([
        400,
        'Invalid request body: host.bypass.value is required, because it would be sent to a new host, new.example',
      ]);
      expect(
        (await change({ type: 'own', hosts: [pages.host, 'new.example'], bypass })).status,
      ).to.equal(200);
    });

    it('rejects an invalid change, and stays as it was', async () => {
      const before = await hostNow();
      github.state.isProtected = true;
      const refused = await change({ type: 'own', publish: 'push' });
      github.state.isProtected = false;
      expect(refused.status, refused.text).to.equal(409);
      expect(refused.json['error']).to.include(pushDenied('main', true));
      expect(await hostNow()).to.deep.equal(before);
    });

    it('replaces its webhook secret, and ends the previous one at once', async () => {
      const own = () => stores.sites.get(siteId).then(({ ownHost }) => ownHost!.webhook!);
      const before = await own();
      const renewed = await call('POST', `/sites/${siteId}/webhook-secret`);
      expect(renewed.status, renewed.text).to.equal(200);
      const { credentialId } = await own();
      expect(await stores.credentials.openSecret(credentialId)).to.equal(
        renewed.json['webhookSecret'],
      );
      expect(
        await stores.credentials.openSecret(before.credentialId).catch((error: Error) => error),
      ).to.be.instanceOf(Error);
      expect((await call('GET', `/sites/${siteId}`)).text).to.not.include(
        renewed.json['webhookSecret'],
      );
      await change({ type: 'embedded' });
      expect(await call('POST', `/sites/${siteId}/webhook-secret`)).to.include({
        status: 409,
        code: 'CONFLICT',
      });
    });
  });

  describe('that is checked again', () => {
    let siteId: string;
    before(async () => {
      const made = await create(host({ publish: 'pull-request' }));
      siteId = made.json['siteId'] as string;
    });
    const check = (body: object) => call('POST', '/sites/check', { siteId, ...body });

    it('needs no credential and no secret for its stored repository and host', async () => {
      const { url } = repository();
      const found = await check({ repository: { url, branch: 'main' } });
      expect(found.json, found.text).to.deep.include({ ok: true, pushable: true });
      expect(hostIn(found)?.proof).to.include({ status: 200, title: 'Acme bakes' });
      github.state.isProtected = true;
      const pushed = await check({
        repository: { url },
        host: { type: 'own', publish: 'push' },
      });
      github.state.isProtected = false;
      expect(hostIn(pushed)?.problems.map(({ code }) => code)).to.deep.equal(['protected-branch']);
      expect((await call('GET', `/sites/${siteId}`)).json['host']).to.deep.include({
        publish: 'pull-request',
      });
    });

    it('sends its credential to no other URL, and tells other organizations nothing', async () => {
      const other = await check({ repository: { url: `${github.url}/team/other.git` } });
      expect(other).to.include({ status: 400, code: 'INVALID_INPUT' });
      expect(other.json['error']).to.match(/host\.type own .*repository\.credential/);
      const { organizationId } = await createOrganizations(stores.db).create({ name: 'Others' });
      const foreign = await stores.sites.create({
        organizationId,
        name: 'Theirs',
        repository: null,
      });
      const { url } = repository();
      for (const id of [foreign.siteId, randomUUID()])
        expect(await check({ siteId: id, repository: { url } })).to.deep.include({
          status: 404,
          json: { error: 'Site not found' },
        });
      expect((await check({ siteId: 'x', repository: { url } })).json['error']).to.equal(
        'Invalid request body: siteId must be a UUID',
      );
    });
  });
});
