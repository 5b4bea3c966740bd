// Takes long: the first run builds Gitea.
import { expect } from 'chai';
import { createGuardedSender } from '../../src/callbacks/guardedSend.ts';
import { onCode } from '../../src/errors.ts';
import { projectNotFound, pullRequestsNotAllowed } from '../../src/forges/checkForge.ts';
import type { ForgeProject } from '../../src/forges/forgeProject.ts';
import { createForgeRegistry } from '../../src/forges/forges.ts';
import { writeAccessMissing } from '../../src/forges/gitea/gitea.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { needProgram } from '../helpers/programs.ts';
import { refused } from '../helpers/refused.ts';
import { until } from '../helpers/until.ts';

const never = new AbortController().signal;
const nowhere = 'f'.repeat(40);

describe('the forge Gitea', function () {
  this.timeout(300_000);
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  const forges = createForgeRegistry({ send: sender.send });
  let gitea: Gitea;
  let owner: GiteaUser;
  let repository: GiteaRepository;
  let forge: ForgeProject;
  let tasks = 0;

  const openAs = (token: string, project = repository.path) =>
    forges.open(
      { forge: 'gitea', apiUrl: `${gitea.url}/api/v1`, project },
      { kind: 'token', username: owner.name, token },
    );
  const api = <Body>(route: string, body?: object) =>
    gitea.ask<Body>(owner.token, route.replace(':site', `/repos/${repository.path}`), body);
  /** A task's branch with a commit that changes a page. */
  async function pushTask() {
    const branch = `bg-task-${++tasks}`;
    const { body } = await api<{ commit: { sha: string } }>('POST :site/contents', {
      branch: 'main',
      new_branch: branch,
      message: 'Change a page',
      files: [
        { operation: 'create', path: `${branch}.html`, content: btoa(`<p>Page of ${branch}</p>`) },
      ],
    });
    return { branch, commit: body.commit.sha };
  }
  const open = (branch: string) =>
    forge.openPullRequest({ branch, into: 'main', title: 'A page', body: '- [ ] a' }, never);
  const setStatus = (commit: string, status: object) =>
    api(`POST :site/statuses/${commit}`, { context: 'host/preview', ...status });
  /**
   * Gitea checks in the background whether a pull request can be merged, and answers 500 while it
   * merges one by itself.
   */
  const merged = (number: number, head: string) =>
    until('the merge', async () => {
      const pull = await forge.merge(number, head, never).catch(onCode(['UNAVAILABLE'], null));
      return pull?.state === 'merged' && pull;
    });

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    gitea = await startGitea();
    owner = await gitea.createUser();
  });
  after(async () => {
    await sender.close();
    await gitea?.close();
  });
  beforeEach(async () => {
    repository = await gitea.createRepository(owner, { 'index.html': '<h1>Site</h1>' });
    forge = openAs(owner.token);
  });

  it('opens, finds and merges a pull request, by a token for repositories only', async () => {
    forge = openAs(await gitea.createToken(owner, ['write:repository']));
    const { branch, commit } = await pushTask();
    expect(await forge.findPullRequest(branch, never)).to.equal(null);
    const opened = await open(branch);
    expect(opened).to.deep.equal({
      number: 1,
      url: `${gitea.url}/${repository.path}/pulls/1`,
      state: 'open',
      head: commit,
      mergeCommit: null,
    });
    expect(await forge.findPullRequest(branch, never)).to.deep.equal(opened);
    const pull = await merged(1, commit);
    const { body: main } = await api<{ commit: { id: string } }>('GET :site/branches/main');
    expect(pull.mergeCommit).to.equal(main.commit.id);
    expect(await forge.merge(1, commit, never)).to.deep.equal(pull);
    expect(await forge.findPullRequest(branch, never)).to.deep.equal(pull);
    await forge.closePullRequest(1, never);
    expect((await forge.findPullRequest(branch, never))?.state).to.equal('merged');
  });

  it('closes nothing if there is no pull request', () => forge.closePullRequest(77, never));

  it('merges only the named commit, and no closed pull request', async () => {
    const { branch, commit } = await pushTask();
    const { number } = await open(branch);
    expect(await refused(forge.merge(number, nowhere, never))).to.match(
      new RegExp(
        `^Pull request #1 can't be merged: its head is ${commit.slice(0, 10)}, expected f`,
      ),
    );
    await forge.closePullRequest(number, never);
    expect(await refused(forge.merge(number, commit, never))).to.match(/it was closed/);
  });

  it('leaves a pull request open that needs an approval, and lets Gitea merge it afterwards', async () => {
    await gitea.protectBranch(repository, 'main', { required_approvals: 1 });
    const { branch, commit } = await pushTask();
    const { number } = await open(branch);
    for (let n = 0; n < 2; n++) {
      const { state, blocker } = await forge.merge(number, commit, never);
      expect(state).to.equal('open');
      expect(blocker).to.match(/^the forge says: .*approvals/);
    }
    const reviewer = await gitea.createUser();
    await api(`PUT :site/collaborators/${reviewer.name}`, { permission: 'write' });
    await gitea.ask(reviewer.token, `POST /repos/${repository.path}/pulls/${number}/reviews`, {
      event: 'APPROVED',
      commit_id: commit,
    });
    expect((await merged(number, commit)).mergeCommit).to.match(/^[0-9a-f]{40}$/);
  });

  it('reports that a credential may not merge', async () => {
    const writer = await gitea.createUser();
    await api(`PUT :site/collaborators/${writer.name}`, { permission: 'write' });
    await gitea.protectBranch(repository, 'main', {
      enable_merge_whitelist: true,
      merge_whitelist_usernames: [owner.name],
    });
    const { branch, commit } = await pushTask();
    const { number } = await open(branch);
    expect(await refused(openAs(writer.token).merge(number, commit, never))).to.match(
      /\bpull request #1 into main$/,
    );
  });

  it("merges with the project's own method", async () => {
    await api('PATCH :site', {
      has_pull_requests: true,
      allow_merge_commits: false,
      allow_squash_merge: true,
      default_merge_style: 'squash',
    });
    const { branch, commit } = await pushTask();
    const { number } = await open(branch);
    const { mergeCommit } = await merged(number, commit);
    const { body } = await api<{ parents: unknown[] }>(`GET :site/git/commits/${mergeCommit}`);
    expect(body.parents).to.have.length(1);
  });

  it('reads the newest status of each context, with who reported it', async () => {
    const { commit } = await pushTask();
    expect(await forge.reports(commit, never)).to.deep.equal([]);
    const url = 'https://bg-task.pages.example/';
    await setStatus(commit, { state: 'pending' });
    await setStatus(commit, { state: 'success', target_url: url });
    await setStatus(commit, { context: 'ci', state: 'error', target_url: 'javascript:alert(1)' });
    await setStatus(commit, {
      context: 'lint',
      state: 'pending',
      target_url: '/team/site/actions',
    });
    const report = { of: 'status', creator: owner.name };
    expect(await forge.reports(commit, never)).to.have.deep.members([
      { ...report, name: 'host/preview', state: 'success', url, logUrl: url },
      { ...report, name: 'ci', state: 'failure', url: null, logUrl: null },
      {
        ...report,
        name: 'lint',
        state: 'pending',
        url: `${gitea.url}/team/site/actions`,
        logUrl: `${gitea.url}/team/site/actions`,
      },
    ]);
  });

  describe('check()', () => {
    const check = (token = owner.token, project?: string, branch = 'main') =>
      openAs(token, project).check(branch, never);

    it('reports no problem, and shows earlier reports', async () => {
      await setStatus(repository.commit, { state: 'success', target_url: 'https://a.example/' });
      const { pastDeployments, ...checked } = await check();
      expect(checked).to.deep.equal({ problems: [], mayPush: true, isProtected: false });
      expect(pastDeployments).to.have.length(1);
      expect(pastDeployments[0]).to.have.property('commit', repository.commit);
      const { body } = await api<unknown[]>('GET :site/pulls?state=all');
      expect(body).to.deep.equal([]);
    });

    it('reports that nothing was reported', async () => {
      const { problems } = await check();
      expect(problems.map(({ code }) => code)).to.deep.equal(['reports']);
      expect(problems[0]?.message).to.match(/\b10 commits of main\b/);
    });

    it('reports that a branch accepts no pushes', async () => {
      await gitea.protectBranch(repository, 'main');
      expect(await check()).to.include({ mayPush: false, isProtected: true });
    });

    it('names a wrong token, a missing scope, and an unknown project and branch', async () => {
      const codes = async (...args: Parameters<typeof check>) => {
        const { problems } = await check(...args);
        return problems.map(({ code, message }) => `${code}: ${message}`).join('\n');
      };
      expect(await codes('f'.repeat(40))).to.match(/^credential: /);
      const reading = await gitea.createToken(owner, ['read:repository']);
      expect(await codes(reading))
        .to.match(/^scope: .*required=\[write:repository\]/)
        .and.include(pullRequestsNotAllowed.message);
      const useless = await gitea.createToken(owner, ['read:misc']);
      expect(await codes(useless)).to.match(/^scope: .*required=\[read:repository\]/);
      expect(await codes(owner.token, 'nobody/nothing')).to.include(
        `project: ${projectNotFound({ project: 'nobody/nothing' }).message}`,
      );
      expect(await codes(owner.token, repository.path, 'gone')).to.match(/^branch: .*gone/);
      const stranger = await gitea.createUser();
      expect(await codes(stranger.token)).to.match(/^project: /);
    });

    it('reports that the account may only read', async () => {
      const reader = await gitea.createUser();
      await api(`PUT :site/collaborators/${reader.name}`, { permission: 'read' });
      const { problems, mayPush } = await check(reader.token);
      expect(problems).to.deep.include(writeAccessMissing);
      expect(mayPush).to.equal(false);
    });
  });

  it('is unavailable while Gitea is down, and never repeats the token', async () => {
    const sent = createForgeRegistry({ send: sender.send }).open(
      { forge: 'forgejo', apiUrl: 'http://127.0.0.1:1/api/v1', project: 'a/b' },
      { kind: 'token', username: '', token: 'secret-token' },
    );
    const error = await sent.reports(nowhere, never).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'UNAVAILABLE', retryable: true });
    expect(String(error)).to.not.include('secret-token');
  });
});
