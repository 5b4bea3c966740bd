// Takes long: the first run builds Gitea.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { startHttpReceiver } from '../helpers/httpReceiver.ts';
import { needProgram } from '../helpers/programs.ts';
import { git } from '../helpers/team/git.ts';
import { until } from '../helpers/until.ts';

const TASK = 'bg-kq3v7w2mzt5d8n4hjx6y1ra';
const HEAD = `refs/heads/${TASK}`;
const HIDDEN = `refs/agent-tasks/${TASK}`;

interface PullRequest {
  number: number;
  head: { sha: string };
  merged: boolean;
  merge_commit_sha: string | null;
}

describe('Gitea as the forge of tests', function () {
  this.timeout(300_000);
  let gitea: Gitea;
  let owner: GiteaUser;
  let repository: GiteaRepository;
  let folder: ReturnType<typeof temporaryFolder>;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    gitea = await startGitea();
    owner = await gitea.createUser();
  });
  after(() => gitea?.close());
  beforeEach(async () => {
    repository = await gitea.createRepository(owner, { 'index.md': '# Bread\n' });
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const clone = () => join(folder.path, 'clone');
  const asOwner = <Body>(route: string, body?: object) =>
    gitea.ask<Body>(owner.token, route.replace(' ', ` /repos/${repository.path}`), body);

  /** Pushes a commit with a text over that of the production branch. @returns the commit */
  function push(text: string, ...refs: string[]): string {
    git(folder.path, 'clone', '-q', remote(owner), 'clone');
    writeFileSync(join(clone(), 'index.md'), text);
    git(clone(), 'commit', '-q', '-a', '-m', text);
    git(clone(), 'push', '-q', 'origin', ...refs.map((ref) => `HEAD:${ref}`));
    return git(clone(), 'rev-parse', 'HEAD');
  }

  /** The repository's address with somebody's token, for a team member's git. */
  const remote = ({ name, token }: Pick<GiteaUser, 'name' | 'token'>) =>
    repository.url.replace('://', `://${name}:${token}@`);

  const openPullRequest = (head = TASK) =>
    asOwner<PullRequest>('POST /pulls', { head, base: 'main', title: 'Two loaves' });

  it('serves a private repository over http to those with a token alone', async () => {
    const stranger = await gitea.createUser();
    for (const user of [stranger, { name: 'nobody', token: 'none' }])
      expect(() => git(folder.path, 'ls-remote', remote(user))).to.throw(/not found|failed/);
    expect(git(folder.path, 'ls-remote', remote(owner), 'main')).to.include(repository.commit);
    expect((await gitea.ask(stranger.token, `GET /repos/${repository.path}`)).status).to.equal(404);
  });

  it('gives tokens scopes, and says which one is missing', async () => {
    const token = await gitea.createToken(owner, ['read:repository']);
    expect((await gitea.ask(token, `GET /repos/${repository.path}`)).status).to.equal(200);
    const { status, body } = await gitea.ask<{ message: string }>(
      token,
      `POST /repos/${repository.path}/pulls`,
      { head: TASK, base: 'main', title: 'Two loaves' },
    );
    expect(status).to.equal(403);
    expect(body.message).to.include('write:repository');
    expect(() => push('# Two loaves', 'main')).not.to.throw();
    expect(() =>
      git(clone(), 'push', remote({ name: owner.name, token }), `HEAD:${TASK}`),
    ).to.throw(/403|denied|not.*authorized/i);
  });

  it('takes a hidden ref and a branch of a task', async () => {
    const commit = push('# Two loaves', HIDDEN, TASK);
    const refs = git(clone(), 'ls-remote', 'origin').split('\n');
    expect(refs).to.include(`${commit}\t${HIDDEN}`).and.include(`${commit}\t${HEAD}`);
    const { body } = await asOwner<{ commit: { id: string } }>(`GET /branches/${TASK}`);
    expect(body.commit.id).to.equal(commit);
  });

  it('refuses pushes to a protected branch, and says why', async () => {
    await gitea.protectBranch(repository, 'main');
    expect(() => push('# Two loaves', 'main')).to.throw(
      'Not allowed to push to protected branch main',
    );
    expect(git(clone(), 'ls-remote', 'origin', 'main')).to.include(repository.commit);
  });

  it('opens one pull request for a branch, and merges the commit that is named alone', async () => {
    const commit = push('# Two loaves', TASK);
    const { status, body: opened } = await openPullRequest();
    expect([status, opened.head.sha]).to.deep.equal([201, commit]);
    expect((await openPullRequest()).status).to.equal(409);

    const merge = (head: string) =>
      asOwner(`POST /pulls/${opened.number}/merge`, { Do: 'merge', head_commit_id: head });
    await until(
      'Gitea to have tried the merge',
      async () => (await merge('0'.repeat(40))).status === 409,
    );
    expect((await merge(commit)).status).to.equal(200);
    const { body } = await asOwner<PullRequest>(`GET /pulls/${opened.number}`);
    expect(body.merged).to.equal(true);
    expect(git(clone(), 'ls-remote', 'origin', 'main')).to.include(body.merge_commit_sha);
  });

  it('refuses to merge without the approval that the branch needs', async () => {
    await gitea.protectBranch(repository, 'main', { required_approvals: 1 });
    const commit = push('# Two loaves', TASK);
    const { body } = await openPullRequest();
    const { status } = await asOwner(`POST /pulls/${body.number}/merge`, {
      Do: 'merge',
      head_commit_id: commit,
    });
    expect(status).to.equal(405);
  });

  it('keeps the statuses of a commit', async () => {
    const commit = push('# Two loaves', TASK);
    for (const state of ['pending', 'success'])
      await asOwner(`POST /statuses/${commit}`, {
        state,
        context: 'host/preview',
        target_url: 'https://preview.example/',
      });
    const { body } = await asOwner<{ state: string; statuses: object[] }>(
      `GET /commits/${TASK}/status`,
    );
    expect(body.state).to.equal('success');
    expect(body.statuses[0]).to.include({
      context: 'host/preview',
      target_url: 'https://preview.example/',
    });
  });

  it('signs the webhooks of pushes', async () => {
    const receiver = await startHttpReceiver(() => 204);
    try {
      await gitea.createWebhook(repository, { url: receiver.url('/forge'), secret: 'a secret' });
      const commit = push('# Two loaves', TASK);
      // Gitea may still tell of the first commit, which was before the webhook
      const { headers, body } = await until('the webhook of the push', () =>
        receiver.received('/forge').find((delivery) => delivery.body.includes(HEAD)),
      );
      expect(JSON.parse(body)).to.include({ ref: HEAD, after: commit });
      expect(headers['x-gitea-event']).to.equal('push');
      const signature = createHmac('sha256', 'a secret').update(body).digest('hex');
      expect(headers['x-gitea-signature']).to.equal(signature);
    } finally {
      await receiver.close();
    }
  });

  it('keeps all that it has when it is killed', async () => {
    const commit = push('# Two loaves', TASK);
    const { body } = await openPullRequest();
    await gitea.restart();
    const again = await asOwner<PullRequest>(`GET /pulls/${body.number}`);
    expect(again.body.head.sha).to.equal(commit);
  });
});

it('leaves no process behind where it does not start in time', async function () {
  this.timeout(300_000);
  needProgram(this, 'Gitea');
  const [served, trusted] = [await createAuthority(), await createAuthority()];
  const distrusted = { ...served, ca: trusted.ca };
  const error = await startGitea(distrusted, 2_000).catch((thrown: unknown) => thrown);
  expect(String(error)).to.include('Waited 2000 ms in vain for Gitea');
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,comm='], { encoding: 'utf8' });
  expect(stdout).not.to.match(new RegExp(`^\\s*${process.pid}\\s.*gitea`, 'm'));
});

it('serves https with a certificate of the test', async function () {
  this.timeout(300_000);
  needProgram(this, 'Gitea');
  const authority = await createAuthority();
  const gitea = await startGitea(authority);
  try {
    const user = await gitea.createUser();
    const { url, commit } = await gitea.createRepository(user, { 'index.md': '# Bread\n' });
    const folder = temporaryFolder();
    const ca = join(folder.path, 'ca.pem');
    writeFileSync(ca, authority.ca);
    const address = url.replace('://', `://${user.name}:${user.token}@`);
    const found = git(folder.path, '-c', `http.sslCAInfo=${ca}`, 'ls-remote', address, 'main');
    expect(found).to.include(commit);
    folder.remove();
  } finally {
    await gitea.close();
  }
});
