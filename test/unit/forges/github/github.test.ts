import { expect } from 'chai';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createGuardedSender } from '../../../../src/callbacks/guardedSend.ts';
import type { RepositoryCredential } from '../../../../src/contract/site.ts';
import { DomainError } from '../../../../src/errors.ts';
import type { ForgeProject, SendHttp } from '../../../../src/forges/forgeProject.ts';
import { createForgeRegistry } from '../../../../src/forges/forges.ts';
import {
  type GitHubServer,
  goodToken,
  project,
  sha,
  startGitHub,
} from '../../../helpers/githubServer.ts';
import { refused } from '../../../helpers/refused.ts';

const never = new AbortController().signal;
const branch = 'bg-kq3v7w2mzt5d8n4hjx6y1ra';
const commit = sha('task');
const token: RepositoryCredential = { kind: 'token', username: 'x-access-token', token: goodToken };
const bot = { login: 'vercel[bot]' };
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' }, // as GitHub gives it
});
const app: RepositoryCredential = {
  kind: 'github-app',
  appId: '4711',
  installationId: null,
  privateKey: keys.privateKey,
};

const generatedKey = (modulusLength: number, publicExponent = 65_537): string =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString();

/** A key whose numbers are random: to find primes of this size takes minutes. */
function inventedKey(bits: number): string {
  const number = (bytes: number) => {
    const bits = randomBytes(bytes);
    bits[0]! |= 0x80;
    bits[bytes - 1]! |= 1;
    return bits.toString('base64url');
  };
  const half = () => number(bits / 16);
  const [p, q, dp, dq, qi] = [half(), half(), half(), half(), half()];
  const key = { kty: 'RSA', n: number(bits / 8), e: 'AQAB', d: number(bits / 8), p, q, dp, dq, qi };
  return createPrivateKey({ key, format: 'jwk' })
    .export({ type: 'pkcs1', format: 'pem' })
    .toString();
}

describe('the forge GitHub', () => {
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  let github: GitHubServer;
  let forges: ReturnType<typeof createForgeRegistry>;
  let forge: ForgeProject;
  const place = () => ({ forge: 'github' as const, apiUrl: github.apiUrl, project });
  const request = { branch, into: 'main', title: 'A page', body: 'x' };
  const open = () => forge.openPullRequest(request, never);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('did not fail'),
      (error: unknown) => error as DomainError,
    );

  beforeEach(async () => {
    github = await startGitHub(keys);
    github.state.branches[branch] = commit;
    forges = createForgeRegistry({ send: sender.send });
    forge = forges.open(place(), token);
  });
  afterEach(() => github[Symbol.asyncDispose]());
  after(() => sender.close());

  it('sends the documented header fields', async () => {
    await forge.findPullRequest(branch, never);
    expect(github.asked[0]?.headers).to.include({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${goodToken}`,
      'user-agent': 'agent-tasks-service',
    });
  });

  it('gives git a token of an app for the repository at a URL, and at no other', async () => {
    // the server has no certificate
    const plain: SendHttp = ({ url, ...rest }, signal) =>
      sender.send({ ...rest, url: url.replace('https:', 'http:') }, signal);
    const { host } = new URL(github.apiUrl);
    const at = createForgeRegistry({ send: plain });
    const credential = await at.gitCredentialAt(`https://${host}/${project}.git`, app, never);
    expect(credential).to.deep.equal({
      kind: 'token',
      username: 'x-access-token',
      token: 'ghs_1',
    });
    expect(github.routes()).to.deep.equal([
      `GET /repos/${project}/installation`,
      'POST /app/installations/99/access_tokens',
    ]);
    const address = `https://${host}/${project}.git`;
    expect(await at.gitCredentialAt(address, token, never)).to.equal(token);
    const error = await failure(at.gitCredentialAt(`ssh://git@${host}/${project}`, app, never));
    expect(error).to.include({ code: 'GIT_FAILED' });
    expect(error.message).to.include('https://github.com/team/site.git');
  });

  describe('pull requests', () => {
    it('are opened, found and merged', async () => {
      expect(await forge.findPullRequest(branch, never)).to.equal(null);
      const opened = await open();
      expect(opened).to.deep.equal({
        number: 1,
        url: `${github.apiUrl.replace('/api/v3', '')}/team/site/pull/1`,
        state: 'open',
        head: commit,
        mergeCommit: null,
      });
      expect(await forge.findPullRequest(branch, never)).to.deep.equal(opened);
      const merged = await forge.merge(1, commit, never);
      expect(merged).to.include({ state: 'merged', mergeCommit: sha('merge') });
      expect(await forge.merge(1, commit, never)).to.deep.equal(merged);
      expect(await forge.findPullRequest(branch, never)).to.deep.equal(merged);
      await forge.closePullRequest(1, never);
      const changes = github.asked.filter(({ route }) => !route.startsWith('GET'));
      expect(changes.map(({ route, body }) => [route, body])).to.deep.equal([
        ['POST /repos/team/site/pulls', { title: 'A page', body: 'x', head: branch, base: 'main' }],
        ['PUT /repos/team/site/pulls/1/merge', { sha: commit, merge_method: 'merge' }],
      ]);
    });

    it('are found by owner and branch, the newest first, and none of a fork or another branch', async () => {
      await open();
      await forge.closePullRequest(1, never);
      await forge.closePullRequest(1, never);
      expect((await forge.findPullRequest(branch, never))?.state).to.equal('closed');
      await open();
      const found = github.asked.find(({ route }) => route.includes('state=all'));
      expect(found?.route).to.include(`head=team%3A${branch}`);
      expect((await forge.findPullRequest(branch, never))?.number).to.equal(2);
      github.state.pulls[1]!.head.repo = null;
      expect((await forge.findPullRequest(branch, never))?.number).to.equal(1);
      github.state.pulls[0]!.head.ref = 'other';
      expect(await forge.findPullRequest(branch, never)).to.equal(null);
    });

    it('are found if GitHub answers 422 because one is open', async () => {
      const first = await open();
      expect(await open()).to.deep.equal(first);
    });

    it("are rejected with GitHub's message", async () => {
      const work = forge.openPullRequest({ ...request, branch: 'main' }, never);
      expect(await refused(work)).to.match(
        /^127\.0\.0\.1:\d+ .*\bopen a pull request \(status 422\): Validation Failed; No commits between main and main$/,
      );
    });

    it('stay open if GitHub answers 405', async () => {
      await open();
      github.state.notMergeable = 'Required status check "host" is expected.';
      expect(await forge.merge(1, commit, never)).to.include({
        state: 'open',
        blocker: 'the forge says: Required status check "host" is expected',
      });
    });

    it('are not merged with another head, even one that was pushed just now', async () => {
      await open();
      const heads = (actual: string, expected: string) =>
        new RegExp(`: .*\\b${actual.slice(0, 10)}\\b.*\\b${expected.slice(0, 10)}\\b`);
      const other = sha('other');
      expect(await refused(forge.merge(1, other, never))).to.match(heads(commit, other));
      github.next(/^GET .*pulls\/1$/, { status: 200, body: { ...github.state.pulls[0] } });
      github.state.pulls[0]!.head = { ...github.state.pulls[0]!.head, sha: sha('pushed') };
      const work = forge.merge(1, commit, never);
      expect(await refused(work)).to.match(heads(sha('pushed'), commit));
    });

    it('are not merged after they are closed', async () => {
      await open();
      await forge.closePullRequest(1, never);
      expect(await refused(forge.merge(1, commit, never))).to.match(/it was closed/);
      await forge.closePullRequest(77, never);
    });

    it('are squashed if merge commits are not allowed', async () => {
      github.state.allowMergeCommit = false;
      await open();
      expect((await forge.merge(1, commit, never)).state).to.equal('merged');
      expect(github.asked.at(-1)?.body).to.include({ merge_method: 'squash' });
    });
  });

  describe('reports', () => {
    const reports = () => forge.reports(commit, never);
    const deploy = (id: number, environment: string, ...statuses: object[]) => {
      (github.state.deployments[commit] ??= []).unshift({ id, environment, creator: bot });
      github.state.deploymentStatuses[id] = statuses.map((status, at) => ({
        id: id * 100 - at,
        creator: bot,
        ...status,
      }));
    };
    const status = (id: number, context: string, more: object) =>
      (github.state.statuses[commit] ??= []).unshift({ id, context, creator: bot, ...more });

    it('are missing if nobody reports, although the combined status would be pending for ever', async () => {
      expect(await reports()).to.deep.equal([]);
      expect(github.routes().filter((route) => /\/status$/.test(route))).to.deep.equal([]);
    });

    it('are deployments with the URL and the log of their newest state', async () => {
      deploy(
        7,
        'Preview – site',
        {
          state: 'success',
          environment_url: 'https://a.vercel.app',
          log_url: 'https://v.example/l',
        },
        { state: 'in_progress' },
      );
      deploy(8, 'Preview – docs');
      deploy(9, 'Preview – shop', { state: 'failure', target_url: 'https://v.example/shop' });
      const of = { of: 'deployment', creator: bot.login };
      expect(await reports()).to.deep.equal([
        {
          ...of,
          name: 'Preview – shop',
          state: 'failure',
          url: null,
          logUrl: 'https://v.example/shop',
        },
        { ...of, name: 'Preview – docs', state: 'pending', url: null, logUrl: null },
        {
          ...of,
          name: 'Preview – site',
          state: 'success',
          url: 'https://a.vercel.app/',
          logUrl: 'https://v.example/l',
        },
      ]);
      expect(github.asked[0]?.route).to.equal(
        `GET /repos/team/site/deployments?sha=${commit}&per_page=100`,
      );
    });

    it('are the newest status of each context, and do not count a cancelled build as success', async () => {
      status(1, 'netlify/site/deploy-preview', { state: 'pending' });
      status(2, 'netlify/site/deploy-preview', {
        state: 'success',
        description: 'Deploy Preview canceled.',
        target_url: 'https://app.netlify.com/log',
      });
      status(3, 'ci', { state: 'error', target_url: 'javascript:alert(1)' });
      expect((await reports()).map(({ name, state, url }) => [name, state, url])).to.deep.equal([
        ['ci', 'failure', null],
        ['netlify/site/deploy-preview', 'skipped', 'https://app.netlify.com/log'],
      ]);
    });

    it('do not count a cancelled deployment as failure, because a newer commit may be built', async () => {
      deploy(7, 'Preview – site', { state: 'error', description: 'Deployment was canceled.' });
      deploy(8, 'Preview – docs', { state: 'success', description: 'Skipped - not affected' });
      deploy(9, 'Preview – shop', { state: 'error', description: 'npm run build exited with 1' });
      expect((await reports()).map(({ state }) => state)).to.deep.equal([
        'failure',
        'skipped',
        'skipped',
      ]);
    });

    it('name who set the state, and nobody hides the report of another one', async () => {
      deploy(7, 'Preview', {
        state: 'success',
        creator: { login: 'mallory' },
        environment_url: 'https://evil.example',
      });
      status(1, 'host', { state: 'success', target_url: 'https://a.example' });
      status(2, 'host', {
        state: 'success',
        creator: { login: 'mallory' },
        target_url: 'https://e.example',
      });
      expect((await reports()).map(({ of, creator }) => [of, creator])).to.deep.equal([
        ['deployment', 'mallory'],
        ['status', 'mallory'],
        ['status', bot.login],
      ]);
    });

    it('are check runs', async () => {
      const run = {
        app: { slug: 'cloudflare-workers-and-pages' },
        details_url: 'https://c.example/',
      };
      github.state.checkRuns[commit] = [
        { id: 1, name: 'Pages', status: 'completed', conclusion: 'success', ...run },
        { id: 2, name: 'waits', status: 'queued', conclusion: null, app: null },
        { id: 3, name: 'skips', status: 'completed', conclusion: 'cancelled', app: null },
        { id: 4, name: 'fails', status: 'completed', conclusion: 'timed_out', app: null },
      ];
      const found = await reports();
      expect(found.map(({ name, state, creator }) => [name, state, creator])).to.deep.equal([
        ['fails', 'failure', null],
        ['skips', 'skipped', null],
        ['waits', 'pending', null],
        ['Pages', 'success', 'cloudflare-workers-and-pages[bot]'],
      ]);
      expect(found.at(-1)).to.include({ of: 'check', url: 'https://c.example/' });
    });
  });

  describe('check()', () => {
    const problems = async () => {
      const checked = await forge.check('main', never);
      return checked.problems.map(({ code, message }) => `${code}: ${message}`);
    };

    it('reports no problem, changes nothing, and shows earlier reports', async () => {
      github.state.statuses[sha('main')] = [
        { id: 1, context: 'host', state: 'success', creator: bot },
      ];
      const { pastDeployments, ...checked } = await forge.check('main', never);
      expect(checked).to.deep.equal({ problems: [], mayPush: true, isProtected: false });
      expect(
        pastDeployments.map(({ commit: of, reports }) => [of, reports[0]?.name]),
      ).to.deep.equal([[sha('main'), 'host']]);
      expect(github.state.pulls).to.deep.equal([]);
    });

    it('reports that nothing was reported', async () => {
      expect(await problems()).to.have.length(1);
      expect((await problems())[0]).to.match(/^reports: .*\bmain\b/);
    });

    for (const what of ['a protection', 'a rule'])
      it(`reports that ${what} prevents pushes to the branch`, async () => {
        if (what === 'a rule') github.state.rules = ['deletion', 'pull_request'];
        else github.state.isProtected = true;
        expect(await forge.check('main', never)).to.include({ isProtected: true, mayPush: false });
      });

    it('names a wrong token, a missing permission, and an unknown project and branch', async () => {
      forge = forges.open(place(), { ...token, token: 'wrong' });
      expect((await problems()).join()).to.match(/^credential: .*Bad cred/);
      forge = forges.open({ ...place(), project: 'team/gone' }, token);
      expect((await problems()).join()).to.match(/^project: .*\bteam\/gone\b/);
      forge = forges.open(place(), token);
      const {
        problems: [found],
      } = await forge.check('gone', never);
      expect(found).to.include({ code: 'branch' });
      github.state.forbidden = /POST .*(pulls|refs)$/;
      expect((await problems()).join('\n')).to.match(
        /^scope: .*\bpush\w* \(.*\nscope: .*\bpull requests \(/,
      );
      expect(await forge.check('main', never)).to.include({ mayPush: false });
      github.state.forbidden = null;
      github.state.archived = true;
      expect((await problems())[0]).to.match(/^project: .*\barchived\b/);
    });
  });

  describe('as a GitHub App', () => {
    beforeEach(() => {
      forge = forges.open(place(), app);
    });
    const minted = () => github.routes().filter((route) => route.includes('access_tokens'));

    it('gets one token for its requests and for git, of this project only', async () => {
      await Promise.all([forge.findPullRequest(branch, never), forge.reports(commit, never)]);
      expect(await forges.gitCredential(place(), app, never)).to.deep.equal({
        kind: 'token',
        username: 'x-access-token',
        token: 'ghs_1',
      });
      expect(minted()).to.deep.equal(['POST /app/installations/99/access_tokens']);
      const asked = github.asked.find(({ route }) => route.includes('/pulls'));
      expect(asked?.headers.authorization).to.equal('Bearer ghs_1');
    });

    it("respects the limit of an installation for all of its owner's projects, and for no other's", async () => {
      const named = { ...app, installationId: '99' };
      const open = (name: string) => forges.open({ ...place(), project: name }, named);
      const headers = {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 600}`,
      };
      github.next(/pulls/, { status: 200, headers, body: [] });
      await open('team/site').findPullRequest(branch, never);
      const asked = github.asked.length;
      const limited = open('team/other').reports(commit, never);
      const error = await limited.catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'UNAVAILABLE', retryable: true });
      expect(github.asked).to.have.length(asked);
      await refused(open('others/site').reports(commit, never));
      expect(github.routes().at(-1)).to.include('/repos/others/site/');
    });

    it('asks for no named installation', async () => {
      await forges.open(place(), { ...app, installationId: '99' }).reports(commit, never);
      expect(github.routes()).to.not.include('GET /repos/team/site/installation');
    });

    it('gets another token 5 minutes before the end, and after GitHub rejects the first', async () => {
      const soon = new Date(Date.now() + 299_000).toISOString();
      github.next(/access_tokens/, { status: 201, body: { token: goodToken, expires_at: soon } });
      await forge.findPullRequest(branch, never);
      await forge.findPullRequest(branch, never);
      expect(minted()).to.have.length(2);
      github.next(/pulls/, { status: 401, body: { message: 'Bad credentials' } });
      await forge.findPullRequest(branch, never);
      expect(minted()).to.have.length(3);
    });

    for (const [what, privateKey] of [
      ['of 1,024 bits', generatedKey(1_024)],
      ['with an exponent of 262,147', generatedKey(2_048, 262_147)],
      ['of 8,192 bits', inventedKey(8_192)],
      ['in a file of 1 MB', keys.privateKey + '\n'.repeat(1_000_000)],
    ] as const)
      it(`rejects a key ${what} before it signs with it`, async () => {
        const forge = forges.open(place(), { ...app, privateKey });
        const words = await refused(forge.reports(commit, never));
        expect(words).to.match(/\b2048\b.*\b4096 bits\b/);
        expect(github.asked).to.deep.equal([]);
      });

    it('reports an invalid key, and repeats nothing of it', async () => {
      const wrong = { ...app, privateKey: '-----BEGIN RSA PRIVATE KEY-----\nsecret\n' };
      const words = await refused(forges.open(place(), wrong).reports(commit, never));
      expect(words).to.match(/\bprivate key\b.*\bPEM file\b/);
      expect(words).to.not.include('secret');
      const { problems } = await forges.open(place(), wrong).check('main', never);
      expect(problems).to.have.length(1);
    });
  });

  it('accepts no deploy key', () => {
    const key = { kind: 'deploy-key' as const, privateKey: 'x' };
    expect(() => forges.open(place(), key)).to.throw(DomainError, /\ba token or a GitHub App\b/);
  });

  for (const wrong of ['../user', 'a/b/c', 'a/b?x'])
    it(`does not accept ${wrong} as a project`, () => {
      expect(() => forges.open({ ...place(), project: wrong }, token)).to.throw(DomainError, wrong);
    });
});
