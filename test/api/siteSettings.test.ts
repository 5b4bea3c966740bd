import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { createSiteSettings } from '../../src/api/siteSettings.ts';
import { parseCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import { repositoryAddresses } from '../../src/callbacks/repositoryHosts.ts';
import type { RepositoryCredential } from '../../src/contract/site.ts';
import { DomainError } from '../../src/errors.ts';
import type { AuditRecord } from '../../src/organizations/audit.ts';
import { createCredentials } from '../../src/organizations/credentials.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSecretBox } from '../../src/organizations/secretBox.ts';
import { createSiteList } from '../../src/organizations/siteList.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createSiteHosting } from '../../src/hosting/hosting.ts';
import { createSiteHosts } from '../../src/hosting/hosts.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { createDeployments } from '../../src/storage/deployments.ts';
import { bearer, keys, startApi, type TestApi } from '../helpers/api.ts';
import { createAuthority, type Authority } from '../helpers/certificates.ts';
import { testDatabase } from '../helpers/database.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { testPages } from '../helpers/threads.ts';
import { serveHttps } from '../helpers/team/httpsRemote.ts';
import { git, Workplace } from '../helpers/team/workplace.ts';

const MOST_SITES = 100;
const HOST = 'git.team.example';
const READER = 'reader-token-4711';
const writer = 'writer/+%&?@:#token';

const forGit = (credential: RepositoryCredential) =>
  credential.kind === 'github-app'
    ? Promise.reject(new Error('no app here'))
    : Promise.resolve(credential);

const noForge = () => {
  throw new Error('no forge here');
};

describe('settings of sites', () => {
  const trusted = tls.getCACertificates('default');
  let authority: Authority;
  let place: Workplace;
  let api: TestApi;
  let organizationId: string;
  let running = new Set<string>();
  let url: string;
  let entries: AuditRecord[];
  let stores: Awaited<ReturnType<typeof open>>;
  const closes: (() => unknown)[] = [];
  /** The ids of repositories that were only looked at. */
  const gone: string[] = [];
  /** Whether what puts sites live fails. */
  let isDown = false;
  const down = () =>
    new DomainError('UNAVAILABLE', 'The repository does not respond', { retryable: true });

  /** Told of each request at the repositories. */
  let onRequest = () => {};

  /**
   * Whoever asks, by the token: none reads an open repository, and nobody but the writer pushes.
   */
  let isOpen = true;
  const rights = ({ headers, url: path = '' }: IncomingMessage): number => {
    onRequest();
    const [, given = ''] = Buffer.from(
      headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    )
      .toString()
      .split(/:(.*)/s);
    const isPush = path.includes('git-receive-pack');
    if (given === writer) return 200;
    if (given === READER) return isPush ? 403 : 200;
    if (given !== '') return 401;
    return isOpen && !isPush ? 200 : 401;
  };

  async function open() {
    const db = await testDatabase();
    const box = createSecretBox([{ id: 'a', key: Buffer.alloc(32, 1) }]);
    const credentials = createCredentials(db, box);
    const policy = {
      allowPrivate: false,
      ownHosts: ['own.example'],
      resolve: (host: string) =>
        Promise.resolve(
          host === HOST
            ? ['127.0.0.1']
            : host === 'inside.example'
              ? ['93.184.216.34', '10.0.0.7']
              : [],
        ),
      isAllowedAddress: (address: string) => ['127.0.0.1', '93.184.216.34'].includes(address),
    };
    const repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
      openCredential: async (id) => forGit(await credentials.open(id)),
      allowed: (host) => repositoryAddresses(host, policy),
    });
    closes.push(() => repositories.close());
    const sites = createSites(db, { most: MOST_SITES });
    const deployments = createDeployments(db);
    const publicUrl = () => new URL('https://api.example.com');
    const domains = { sitesDomain: 'sites.example', previewDomain: 'preview.example' };
    const hosting = createSiteHosting({
      repositories,
      deployments,
      hosts: createSiteHosts({ publicUrl, ...domains }),
    });
    const hasRunningTasks = (siteId: string) => Promise.resolve(running.has(siteId));
    const siteSettings = createSiteSettings({
      sites,
      credentials,
      forGit,
      repositories: {
        ...repositories,
        forget: (id) => repositories.forget(id).then(() => void gone.push(id)),
      },
      pages: testPages,
      hosting: {
        ensureLive: (site) => (isDown ? Promise.reject(down()) : hosting.ensureLive(site)),
      },
      hasRunningTasks,
      addressRules: {
        allowPrivate: false,
        checkUrl: (given) => parseCallbackUrl(given, policy),
      },
      openForge: noForge,
      send: noForge,
    });
    const { organizationId } = await createOrganizations(db).create({ name: 'Team' });
    return {
      db,
      sites,
      siteList: createSiteList(db),
      credentials,
      repositories,
      siteSettings,
      deployments,
      organizationId,
    };
  }

  before(async () => {
    authority = await createAuthority();
    tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
  });
  after(() => tls.setDefaultCACertificates(trusted));
  before(async () => {
    place = new Workplace();
    place.push({
      'index.html': '<h1>Home</h1>',
      'public/about.html': '<h1>About</h1>',
      'notes/readme.txt': 'x',
    });
    stores = await open();
    ({ organizationId } = stores);
    const certificate = await authority.issue({ dns: [HOST] });
    const server = await serveHttps(place.folder, certificate, (request, response) => {
      const status = rights(request);
      if (status === 200) return false;
      response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    });
    closes.push(server.close);
    url = `https://${HOST}:${new URL(server.url).port}/team%20site.git`;
    const roles = { [keys.member]: 'member', [keys.admin]: 'admin' } as const;
    const identity = (token: string) => {
      const role = roles[token as keyof typeof roles];
      return Promise.resolve(role ? { keyId: randomUUID(), organizationId, role } : null);
    };
    api = await startApi({
      sites: stores.sites,
      siteList: stores.siteList,
      siteSettings: stores.siteSettings,
      credentials: stores.credentials,
      keys: { authenticate: identity, identify: identity },
      audit: {
        record: (entry) => Promise.resolve(void entries.push(entry)),
        list: () => Promise.reject(new Error('not asked for')),
        prune: () => Promise.reject(new Error('not asked for')),
      },
    });
  });
  beforeEach(() => {
    [isOpen, isDown, running, entries, onRequest] = [true, false, new Set(), [], () => {}];
  });
  after(async () => {
    await api.close();
    for (const close of closes.splice(0)) await close();
    await place.remove();
  });

  const call = (method: string, path: string, body?: object, key = keys.admin) =>
    api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(key), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const token = (given: string) => ({ type: 'token', token: given });
  const check = async (repository: object) =>
    (await call('POST', '/sites/check', { repository })).json;
  const add = (repository: object | null, more: object = {}) =>
    call('POST', '/sites', { name: 'Site', ...(repository && { repository }), ...more });
  const copies = async () =>
    (await readdir(join(place.folder, 'data/repositories')).catch(() => [])).filter((name) =>
      name.endsWith('.git'),
    );

  /** What is kept of sites and repositories. */
  const traces = async () => [
    await copies(),
    (await stores.sites.idsOf(organizationId)).toSorted(),
    await stores.db
      .selectFrom('site_credentials')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute(),
  ];

  it('add, show, change and remove a site, and record it in the audit', async () => {
    const made = await add({ url, root: './public/', credential: token(writer) });
    expect(made.status, made.text).to.equal(201);
    const { siteId } = made.json as { siteId: string };
    const live = place.head();
    expect(made.json).to.deep.include({
      name: 'Site',
      repository: { url, branch: 'main', root: 'public', access: 'token' },
      problem: null,
    });
    // the label gets a suffix where another site of this database has the name
    expect(made.json['liveUrl']).to.match(/^https:\/\/site(-\w+)?\.sites\.example\/$/);
    expect(made.json['deployment']).to.deep.include({ state: 'live', commit: live, taskId: null });
    expect((await call('GET', `/sites/${siteId}`, undefined, keys.member)).json).to.deep.equal(
      made.json,
    );
    const author = { name: 'Ann', email: 'ann@acme.example' };
    const renamed = await call('PATCH', `/sites/${siteId}`, { name: 'Other', author });
    expect(renamed.json).to.deep.equal({ ...made.json, name: 'Other', author });
    const moved = await call('PATCH', `/sites/${siteId}`, { repository: { root: '' } });
    expect(moved.json['repository']).to.deep.equal({
      url,
      branch: 'main',
      root: '',
      access: 'token',
    });
    expect((await call('GET', '/sites')).json['sites']).to.have.deep.nested.property(
      '[0].repository',
      moved.json['repository'],
    );

    running.add(siteId);
    expect((await call('DELETE', `/sites/${siteId}`)).status).to.equal(409);
    expect(
      (await call('PATCH', `/sites/${siteId}`, { repository: { root: 'public' } })).status,
    ).to.equal(409);
    expect((await call('PATCH', `/sites/${siteId}`, { name: 'Third' })).status).to.equal(200);
    running.clear();
    expect((await copies()).map((name) => name.startsWith(siteId))).to.deep.equal([true]);
    expect((await call('DELETE', `/sites/${siteId}`)).status).to.equal(204);
    expect((await call('GET', `/sites/${siteId}`)).status).to.equal(404);
    expect(await copies()).to.deep.equal([]);
    expect(
      await stores.db
        .selectFrom('site_credentials')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute(),
    ).to.deep.equal([]);
    expect(place.head()).to.equal(live);
    expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([
      ['site.create', 'Site'],
      ['site.update', 'Other'],
      ['site.update', 'Other'],
      ['site.update', 'Third'],
      ['site.delete', 'Third'],
    ]);
    expect(JSON.stringify([entries, api.logs, made.json, moved.json])).to.not.include(writer);
  });

  it('add no more sites than an organization may have, counting removed sites', async () => {
    const made: string[] = [];
    for (;;) {
      const { status, code, json } = await add(null);
      if (status === 201) made.push(json['siteId'] as string);
      else {
        expect([status, code]).to.deep.equal([409, 'CONFLICT']);
        expect(json['error']).to.match(/\b100 sites\b.*\b400 days\b/);
        break;
      }
    }
    const kept = await traces();
    const { status } = await add({ url, credential: token(writer) }, { name: 'Another' });
    expect([status, await traces()]).to.deep.equal([409, kept]);
    expect((await call('DELETE', `/sites/${made[0]!}`)).status).to.equal(204);
    expect((await add(null, { name: 'Another' })).status).to.equal(409);
    expect((await add(null)).status, 'the name that it had').to.equal(201);
    await stores.db
      .deleteFrom('kept_labels')
      .where('organization_id', '=', organizationId)
      .execute();
    for (const siteId of await stores.sites.idsOf(organizationId)) await stores.sites.undo(siteId);
  });

  const problems: Record<string, [given: () => object, code: string, message: RegExp | string]> = {
    'an open repository without a token': [
      () => ({ url }),
      'push-denied',
      /\bpush\b.*\baccess token\b/,
    ],
    'a token that may only read': [
      () => ({ url, credential: token(READER) }),
      'push-denied',
      /it may write to this repository/,
    ],
    'a wrong token': [
      () => ({ url, credential: token('wrong') }),
      'access-denied',
      /Check that the token has not expired/,
    ],
    'a branch that is not there': [
      () => ({ url, branch: 'nxet', credential: token(writer) }),
      'branch-missing',
      'The repository has no branch "nxet". Choose one of its branches: main.',
    ],
    'a folder that is not there': [
      () => ({ url, root: 'site', credential: token(writer) }),
      'folder-missing',
      'The repository has no folder "site". Choose another folder.',
    ],
    'a repository that is not there': [
      () => ({ url: url.replace('team%20site', 'toem'), credential: token(writer) }),
      'not-found',
      /Check its spelling/,
    ],
    'a host with a private address beside a public one': [
      () => ({ url: 'https://inside.example/x.git' }),
      'address',
      /\bpublic internet\b/,
    ],
    'the metadata service': [() => ({ url: 'https://169.254.169.254/x.git' }), 'address', /./],
    'a user and password in the address': [
      () => ({ url: url.replace('https://', 'https://me:hidden-word@') }),
      'address',
      /must not contain a user name or password/,
    ],
    'a local path': [
      () => ({ url: '/etc' }),
      'address',
      /must not be a local path, .*`site create`/,
    ],
    'ssh without a deploy key': [
      () => ({ url: 'git@git.team.example:x.git' }),
      'credential',
      /needs a deploy key/,
    ],
    'a deploy key of nobody': [
      () => ({
        url: 'git@git.team.example:x.git',
        credential: { type: 'deploy-key', deployKeyId: randomUUID() },
      }),
      'credential',
      'Deploy key not found.',
    ],
  };
  for (const [what, [given, code, message]] of Object.entries(problems))
    it(`report what is wrong with ${what}`, async () => {
      isOpen = what !== 'a wrong token';
      const before = await traces();
      const found = await check(given());
      expect(found).to.include({ ok: false });
      const [problem] = found['problems'] as { code: string; message: string }[];
      expect(problem?.code, JSON.stringify(found)).to.equal(code);
      if (typeof message === 'string') expect(problem?.message).to.equal(message);
      else expect(problem?.message).to.match(message);
      const made = await add(given());
      expect(made.status).to.be.within(400, 409);
      expect(JSON.stringify([found, made.json, api.logs])).to.not.match(/hidden-word|reader-token/);
      expect(await traces()).to.deep.equal(before);
    });

  it('report files in Git LFS, and use the only branch, whatever its name', async () => {
    isOpen = true;
    place.push({
      'public/img/shop.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 48213\n`,
    });
    const folder = join(place.folder, 'trunk.git');
    git(place.folder, 'clone', '-q', '--bare', place.remote, folder);
    git(folder, 'branch', '-m', 'main', 'trunk');
    const at = { url: url.replace('team%20site', 'trunk'), root: 'public' };
    const found = await check({ ...at, credential: token(writer) });
    expect(found).to.deep.include({ ok: true, branch: 'trunk', problems: [] });
    const [warning, ...others] = found['warnings'] as { code: string; message: string }[];
    expect(warning).to.have.property('code', 'git-lfs');
    expect(warning!.message).to.contain(': img/shop.png.');
    expect(others).to.deep.equal([]);
  });

  it('report what is wrong with an empty repository, and with a shallow clone', async () => {
    isOpen = true;
    const folderOf = (name: string) => join(place.folder, `${name}.git`);
    git(place.folder, 'init', '-q', '--bare', folderOf('none'));
    place.push({ 'public/new.html': 'new' });
    const source = `file://${place.remote}`;
    git(place.folder, 'clone', '-q', '--bare', '--depth', '1', source, folderOf('shallow'));
    for (const [name, code] of [
      ['none', 'empty'],
      ['shallow', 'shallow'],
    ] as const) {
      const repository = { url: url.replace('team%20site', name), credential: token(writer) };
      const found = await check(repository);
      const codes = (found['problems'] as { code: string }[]).map((problem) => problem.code);
      expect([found['ok'], codes], JSON.stringify(found)).to.deep.equal([false, [code]]);
    }
  });

  it('use a credential only for its own URL', async () => {
    const { json } = await add({ url, credential: token(writer) });
    const changed = await call('PATCH', `/sites/${json['siteId'] as string}`, {
      repository: { url: `${url.replace('https', 'HTTPS')}/` },
    });
    expect(changed.status, 'the same address').to.equal(200);
    isOpen = false;
    git(place.folder, 'clone', '-q', '--bare', place.remote, join(place.folder, 'second.git'));
    const other = url.replace('team%20site', 'second');
    const refused = await call('PATCH', `/sites/${json['siteId'] as string}`, {
      repository: { url: other },
    });
    expect(refused).to.include({ status: 409, code: 'CONFLICT' });
    const given = await call('PATCH', `/sites/${json['siteId'] as string}`, {
      repository: { url: other, credential: token(writer) },
    });
    expect(given.json).to.have.nested.property('repository.url', other);
  });

  /** A repository beside the first, with one more commit, and that commit. */
  const another = (name: string) => {
    const folder = join(place.folder, `${name}.git`);
    git(place.folder, 'clone', '-q', '--bare', place.remote, folder);
    const commit = git(folder, 'commit-tree', '-p', 'main', '-m', name, 'main^{tree}').trim();
    git(folder, 'update-ref', 'refs/heads/main', commit);
    git(folder, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    return { commit, url: url.replace('team%20site', name) };
  };

  it('report which pages of a repository are only partly understood', async () => {
    isOpen = true;
    place.push({ 'public/guide.html': '---\ntitle: Guide\n---\n<p>{{ content }}</p>\n' });
    const found = await check({ url, root: 'public', credential: token(writer) });
    expect(found).to.have.property('ok', true);
    const warnings = found['warnings'] as { code: string; message: string }[];
    const partly = warnings.find(({ code }) => code === 'partly-read');
    expect(partly?.message).to.contain(': guide.html.');
  });

  it('reject a change if a task starts while the new repository is checked', async () => {
    const { json } = await add({ url, root: 'public', credential: token(writer) });
    const siteId = json['siteId'] as string;
    const { url: other } = another('late');
    onRequest = () => void running.add(siteId);
    for (const repository of [{ root: '' }, { url: other, credential: token(writer) }]) {
      const before = [
        await traces(),
        await stores.sites.get(siteId),
        await stores.deployments.live(siteId),
      ];
      running.clear();
      expect(await call('PATCH', `/sites/${siteId}`, { repository })).to.include({
        status: 409,
        code: 'CONFLICT',
      });
      expect([
        await traces(),
        await stores.sites.get(siteId),
        await stores.deployments.live(siteId),
      ]).to.deep.equal(before);
    }
    running.clear();
    const renewed = await call('PATCH', `/sites/${siteId}`, {
      repository: { credential: token(writer) },
    });
    expect(renewed.status, renewed.text).to.equal(200);
  });

  it('let only the operator change the branch and the folder of a repository that the operator added', async () => {
    const change = async (own: string, repository: object) => {
      const { siteId } = await stores.sites.create({
        organizationId,
        name: 'Operated',
        repository: { url: own, branch: 'main', root: 'public' },
      });
      const before = await stores.sites.get(siteId);
      const { status, code } = await call('PATCH', `/sites/${siteId}`, { repository });
      const isUnchanged = JSON.stringify(await stores.sites.get(siteId)) === JSON.stringify(before);
      await stores.sites.remove(siteId);
      return { status, code, isUnchanged };
    };
    for (const [own, repository] of [
      [place.url, { root: '' }],
      [place.url, { root: '/' }],
      [place.url, { branch: 'trunk' }],
      [place.url, { url: 'local', root: 'notes' }],
      [url, { root: 'notes' }],
      [url, { root: 'notes', credential: token(writer) }],
      [url, { url: `${url.replace('https', 'HTTPS')}/`, branch: 'trunk', credential: null }],
    ] as const)
      expect(await change(own, repository), JSON.stringify(repository)).to.deep.equal({
        status: 409,
        code: 'CONFLICT',
        isUnchanged: true,
      });
    for (const same of [{}, { root: './public/' }, { branch: 'main' }, { url: 'local' }])
      expect(await change(place.url, same), JSON.stringify(same)).to.include({
        status: 200,
        isUnchanged: true,
      });
  });
});
