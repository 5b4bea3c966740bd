import { expect } from 'chai';
import { createGuardedSender } from '../../../../src/callbacks/guardedSend.ts';
import type { RepositoryCredential } from '../../../../src/contract/site.ts';
import { DomainError } from '../../../../src/errors.ts';
import type { ForgeProject } from '../../../../src/forges/forgeProject.ts';
import { createForgeRegistry } from '../../../../src/forges/forges.ts';
import { sha } from '../../../helpers/githubServer.ts';
import {
  GITLAB_ID,
  type GitLabServer,
  gitlabProject,
  gitlabToken,
  startGitLab,
} from '../../../helpers/gitlabServer.ts';
import { refused } from '../../../helpers/refused.ts';

const never = new AbortController().signal;
const branch = 'bg-kq3v7w2mzt5d8n4hjx6y1ra';
const commit = sha('task');
const token: RepositoryCredential = { kind: 'token', username: 'git', token: gitlabToken };
const bot = { id: 7, username: 'project_278964_bot' };

describe('the forge GitLab', () => {
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  let gitlab: GitLabServer;
  let forges: ReturnType<typeof createForgeRegistry>;
  let forge: ForgeProject;
  const place = (project = gitlabProject) => ({
    forge: 'gitlab' as const,
    apiUrl: gitlab.apiUrl,
    project,
  });
  const request = { branch, into: 'main', title: 'A page', body: 'x' };
  const open = () => forge.openPullRequest(request, never);
  const merge = () => forge.merge(1, commit, never);
  const pagesUrl = () => gitlab.apiUrl.replace('/api/v4', '');
  const changes = () =>
    gitlab.asked
      .filter(({ route }) => !route.startsWith('GET'))
      .map(({ route, body }) => [route.replace(encodeURIComponent(gitlabProject), ':id'), body]);
  /** Opens a merge request whose check has ended, as GitLab needs some seconds for. */
  const openSettled = async (mergeStatus = 'mergeable') => {
    await open();
    gitlab.state.mergeStatus = mergeStatus;
    gitlab.state.mergeRequests.at(-1)!.detailed_merge_status = mergeStatus;
  };
  const actAs = (role: number | null, scopes = ['api']) => {
    gitlab.state.tokens[gitlabToken] = { role, scopes };
  };

  beforeEach(async () => {
    gitlab = await startGitLab();
    gitlab.state.branches[branch] = commit;
    forges = createForgeRegistry({ send: sender.send });
    forge = forges.open(place(), token);
  });
  afterEach(() => gitlab[Symbol.asyncDispose]());
  after(() => sender.close());

  it('sends the token in the documented header field', async () => {
    await forge.findPullRequest(branch, never);
    expect(gitlab.asked[0]?.headers).to.include({
      accept: 'application/json',
      authorization: `Bearer ${gitlabToken}`,
    });
  });

  for (const [what, credential] of [
    ['deploy token', { ...token, token: 'gldt-4711' }],
    ['deploy key', { kind: 'deploy-key' as const, privateKey: 'x' }],
  ] as const)
    it(`accepts no ${what}, because the API does not`, () => {
      expect(() => forges.open(place(), credential)).to.throw(
        DomainError,
        /\bproject or group access token\b/,
      );
    });

  it('gives git the credential as it is, even a deploy token', async () => {
    const deployToken: RepositoryCredential = {
      kind: 'token',
      username: 'gitlab+deploy-token-1',
      token: 'gldt-4711',
    };
    expect(await forges.gitCredential(place(), deployToken, never)).to.equal(deployToken);
  });

  for (const wrong of ['../user', 'site', 'team/../site', 'team//site', 'a/b?x'])
    it(`does not accept ${wrong} as a project`, () => {
      expect(() => forges.open(place(wrong), token)).to.throw(DomainError, wrong);
    });

  describe('merge requests', () => {
    it('are opened, found and merged once GitLab has checked them', async () => {
      expect(await forge.findPullRequest(branch, never)).to.equal(null);
      const opened = await open();
      expect(opened).to.deep.equal({
        number: 1,
        url: `${pagesUrl()}/${gitlabProject}/-/merge_requests/1`,
        state: 'open',
        head: commit,
        mergeCommit: null,
      });
      expect(await forge.findPullRequest(branch, never)).to.deep.equal(opened);
      for (const state of ['preparing', 'checking'])
        expect((await merge()).state, state).to.equal('open');
      const merged = await merge();
      expect(merged).to.include({ state: 'merged', mergeCommit: sha('merge') });
      expect(await merge()).to.deep.equal(merged);
      await forge.closePullRequest(1, never);
      const fields = { source_branch: branch, target_branch: 'main' };
      expect(changes()).to.deep.equal([
        ['POST /projects/:id/merge_requests', { ...fields, title: 'A page', description: 'x' }],
        ['PUT /projects/:id/merge_requests/1/merge', { sha: commit }],
      ]);
    });

    it('have a page below the path of a project that is named by its ID', async () => {
      forge = forges.open(place(`${GITLAB_ID}`), token);
      const url = `${pagesUrl()}/${gitlabProject}/-/merge_requests/1`;
      expect((await open()).url).to.equal(url);
      gitlab.state.path = 'https://evil.example/a/b';
      expect((await forge.pullRequest(1, never)).url).to.not.include('evil');
    });

    it('are the newest of a branch, and none of a fork or another branch', async () => {
      await open();
      await forge.closePullRequest(1, never);
      await forge.closePullRequest(1, never);
      expect((await forge.findPullRequest(branch, never))?.state).to.equal('closed');
      await open();
      expect((await forge.findPullRequest(branch, never))?.number).to.equal(2);
      gitlab.state.mergeRequests[1]!.source_project_id = 5;
      expect((await forge.findPullRequest(branch, never))?.number).to.equal(1);
      gitlab.state.mergeRequests[0]!.source_branch = 'other';
      expect(await forge.findPullRequest(branch, never)).to.equal(null);
    });

    it('are found if GitLab answers 409 because one is open', async () => {
      const first = await open();
      expect(await open()).to.deep.equal(first);
    });

    it('are never drafts, and have no title that is too long', async () => {
      await forge.openPullRequest({ ...request, title: 'Draft: our values' }, never);
      await forge.closePullRequest(1, never);
      await forge.openPullRequest({ ...request, title: 'x'.repeat(300) }, never);
      const titles = gitlab.state.mergeRequests.map(({ title }) => title);
      expect(titles[0]).to.equal('Task: Draft: our values');
      expect(titles[1]).to.have.length(255);
    });

    it("are rejected with GitLab's message, of which it sends lists", async () => {
      const work = forge.openPullRequest({ ...request, branch: 'main' }, never);
      expect(await refused(work)).to.match(
        /\bopen a merge request \(status 422\): You can't use same project\/branch for source and target$/,
      );
    });

    for (const [status, blocker] of Object.entries({
      checking: 'GitLab still checks whether it can be merged',
      draft_status: 'it is a draft',
      discussions_not_resolved: 'not all of its discussions are resolved',
      ship_in_a_bottle: 'GitLab says ship in a bottle',
    }))
      it(`stay open, without a request to merge, in the state ${status}, and say why`, async () => {
        await openSettled(status);
        expect(await merge()).to.include({ state: 'open', blocker });
        expect(changes()).to.have.length(1);
      });

    it('do not repeat a state that is no word', async () => {
      await openSettled('<img src=x>');
      expect(await merge())
        .to.include({ state: 'open' })
        .and.not.have.property('blocker');
    });

    for (const [status, blocker] of Object.entries({
      ci_still_running: 'its pipeline is still running',
      ci_must_pass: 'its pipeline must succeed first',
    }))
      it(`are merged by GitLab itself after the state ${status}`, async () => {
        await openSettled(status);
        expect(await merge()).to.include({ state: 'open', blocker });
        expect(await merge(), 'again').to.include({ state: 'open', blocker });
        expect(changes().slice(1)).to.deep.equal([
          ['PUT /projects/:id/merge_requests/1/merge', { sha: commit, auto_merge: true }],
        ]);
        gitlab.state.mergeStatus = 'mergeable';
        await forge.pullRequest(1, never);
        expect((await merge()).state).to.equal('merged');
      });

    it('say how many approvals are missing, and are merged by GitLab itself after them', async () => {
      await openSettled('not_approved');
      gitlab.state.approvalsLeft = 2;
      expect(await merge()).to.include({ state: 'open', blocker: '2 approvals are missing' });
      gitlab.state.approvalsLeft = 1;
      expect(await merge()).to.include({ state: 'open', blocker: '1 approval is missing' });
      gitlab.next(/approvals$/, { status: 200, body: { approved: false, approved_by: [] } });
      expect(await merge()).to.include({ blocker: 'approvals are missing' });
      gitlab.next(/approvals$/, { status: 403, body: { message: '403 Forbidden' } });
      expect(await merge()).to.include({ blocker: 'approvals are missing' });
      expect(changes().slice(1)).to.deep.equal([
        ['PUT /projects/:id/merge_requests/1/merge', { sha: commit, auto_merge: true }],
      ]);
    });

    for (const [status, reason] of Object.entries({
      conflict: 'it conflicts with newer commits of main',
      need_rebase: 'the project only fast-forwards, and main has newer commits',
    }))
      it(`are given up in the state ${status}, which a new publish ends`, async () => {
        await openSettled(status);
        expect(await refused(merge())).to.equal(
          `Merge request !1 can't be merged, because ${reason}. Publish again, which updates its branch: ${pagesUrl()}/${gitlabProject}/-/merge_requests/1`,
        );
        expect(changes()).to.have.length(1);
      });

    it('stay open if GitLab answers 405', async () => {
      await openSettled();
      gitlab.next(/merge$/, { status: 405, body: { message: '405 Method Not Allowed' } });
      expect((await merge()).state).to.equal('open');
    });

    it('wait until GitLab has noticed a push', async () => {
      await openSettled('conflict');
      const pushed = sha('pushed');
      gitlab.state.branches[branch] = pushed;
      gitlab.state.mergeStatus = 'mergeable';
      const mergePushed = () => forge.merge(1, pushed, never);
      expect(await mergePushed()).to.include({
        state: 'open',
        blocker: 'GitLab has not noticed the last push yet',
      });
      for (const what of ['noticed', 'checked'])
        expect((await mergePushed()).state, what).to.equal('open');
      expect((await mergePushed()).state).to.equal('merged');
    });

    it('are not merged with another head, even one that was pushed just now', async () => {
      await openSettled();
      const other = sha('other');
      expect(await refused(forge.merge(1, other, never))).to.include(other.slice(0, 10));
      gitlab.next(/^GET .*merge_requests\/1$/, {
        status: 200,
        body: { ...gitlab.state.mergeRequests[0], references: { full: `${gitlabProject}!1` } },
      });
      gitlab.state.branches[branch] = sha('pushed');
      expect((await merge()).state).to.equal('open');
      expect(await refused(merge())).to.include(sha('pushed').slice(0, 10));
    });

    it('are not merged after they are closed', async () => {
      await openSettled();
      await forge.closePullRequest(1, never);
      expect(await refused(merge())).to.match(/it was closed/);
      await forge.closePullRequest(77, never);
    });

    for (const option of ['always', 'default_on'] as const)
      it(`are squashed if the project squashes: ${option}`, async () => {
        gitlab.state.squashOption = option;
        gitlab.state.mergeMethod = 'ff';
        await openSettled();
        expect(await merge()).to.include({ state: 'merged', mergeCommit: sha('squash') });
        expect(changes().at(-1)![1]).to.deep.equal({ sha: commit, squash: true });
      });

    it('have their head as the commit of a fast-forward', async () => {
      gitlab.state.mergeMethod = 'ff';
      await openSettled();
      expect(await merge()).to.include({ state: 'merged', mergeCommit: commit });
    });

    it('are not merged by a role that may not, and say so', async () => {
      gitlab.state.mergeRole = 40;
      await openSettled();
      expect(await refused(merge())).to.match(
        /^The role of the credential does not allow merging merge request !1 into main$/,
      );
    });
  });

  describe('reports', () => {
    const reports = () => forge.reports(commit, never);
    const deploy = (id: number, name: string, more: object) =>
      gitlab.state.deployments.push({
        id,
        sha: commit,
        user: bot,
        environment: { id, name, external_url: `https://${id}.example.net/` },
        deployable: { id, name: 'deploy', web_url: `https://gitlab.example/jobs/${id}` },
        status: 'success',
        ...more,
      });
    const status = (id: number, name: string, more: object) =>
      (gitlab.state.statuses[commit] ??= []).push({ id, name, author: bot, ...more });

    it('are missing if nobody reports, and for a commit that GitLab does not know yet', async () => {
      expect(await reports()).to.deep.equal([]);
      expect(await forge.reports(sha('unknown'), never)).to.deep.equal([]);
    });

    it('are deployments to environments, such as review apps, with their URLs and logs', async () => {
      deploy(1, 'review/old', { sha: sha('old') });
      deploy(2, `review/${branch}`, { status: 'failed' });
      deploy(3, `review/${branch}`, {});
      deploy(4, 'docs', { status: 'running', deployable: null, user: null });
      deploy(5, 'shop', { status: 'canceled', environment: { id: 5, name: 'shop' } });
      expect(await reports()).to.deep.equal([
        {
          of: 'deployment',
          name: 'shop',
          creator: bot.username,
          state: 'skipped',
          url: null,
          logUrl: 'https://gitlab.example/jobs/5',
        },
        {
          of: 'deployment',
          name: 'docs',
          creator: null,
          state: 'pending',
          url: 'https://4.example.net/',
          logUrl: null,
        },
        {
          of: 'deployment',
          name: `review/${branch}`,
          creator: bot.username,
          state: 'success',
          url: 'https://3.example.net/',
          logUrl: 'https://gitlab.example/jobs/3',
        },
      ]);
    });

    it('are found among 200 deployments of other commits, and not searched for ever', async () => {
      deploy(1, 'review', {});
      for (let id = 2; id <= 150; id++) deploy(id, 'other', { sha: sha('other') });
      expect(await reports()).to.have.length(1);
      for (let id = 151; id <= 260; id++) deploy(id, 'other', { sha: sha('other') });
      gitlab.asked.length = 0;
      expect(await reports()).to.deep.equal([]);
      const listed = gitlab.asked.filter(({ route }) => route.includes('/deployments?'));
      expect(listed).to.have.length(4);
    });

    it('are statuses of hosts and jobs: those of a job that may fail count as skipped', async () => {
      status(1, 'host', { status: 'pending' });
      status(2, 'host', { status: 'success', target_url: 'https://a.example/' });
      status(3, 'lint', { status: 'failed', allow_failure: true });
      status(4, 'build', { status: 'failed', target_url: 'javascript:alert(1)' });
      status(5, 'to production', { status: 'manual' });
      status(6, 'netlify', { status: 'success', description: 'Deploy Preview canceled.' });
      expect((await reports()).map(({ name, state, url }) => [name, state, url])).to.deep.equal([
        ['netlify', 'skipped', null],
        ['to production', 'skipped', null],
        ['build', 'failure', null],
        ['lint', 'skipped', null],
        ['host', 'success', 'https://a.example/'],
      ]);
    });

    it('are pipelines of the push and of the merge request', async () => {
      const pipeline = { sha: commit, web_url: 'https://gitlab.example/pipelines/1' };
      gitlab.state.pipelines = [
        { ...pipeline, id: 1, status: 'failed', source: 'push' },
        { ...pipeline, id: 2, status: 'running', source: 'push' },
        { ...pipeline, id: 3, status: 'success', source: 'merge_request_event' },
        { ...pipeline, id: 4, sha: sha('other'), status: 'failed', source: 'push' },
      ];
      expect((await reports()).map(({ of, name, state }) => [of, name, state])).to.deep.equal([
        ['check', 'pipeline of merge_request_event', 'success'],
        ['check', 'pipeline of push', 'pending'],
      ]);
    });

    it('have the URL of Pages if the role is that of a Maintainer', async () => {
      status(1, 'pages:deploy', { status: 'success', ref: branch, target_url: null });
      const urls = async () => (await reports()).map(({ name, url }) => [name, url]);
      expect(await urls(), 'as a Developer').to.deep.equal([['pages:deploy', null]]);
      actAs(40);
      expect(await urls(), 'without Pages').to.deep.equal([['pages:deploy', null]]);
      const url = 'https://team.pages.example/site';
      gitlab.state.pages = { url };
      expect(await urls()).to.deep.equal([['pages:deploy', url]]);
      gitlab.state.pages = { url, prefixed: branch };
      expect(await urls()).to.deep.equal([['pages:deploy', `${url}/${branch}`]]);
      gitlab.state.pages = { url: 'javascript:alert(1)' };
      expect(await urls()).to.deep.equal([['pages:deploy', null]]);
      gitlab.asked.length = 0;
      gitlab.state.statuses[commit] = [{ id: 2, name: 'pages:deploy', status: 'running' }];
      await reports();
      expect(gitlab.routes().filter((route) => route.endsWith('/pages'))).to.deep.equal([]);
    });

    it('leave out a kind that the role may not read, and fail if it may read none', async () => {
      status(1, 'host', { status: 'success' });
      const forbidden = { status: 403, body: { message: '403 Forbidden' } };
      gitlab.next(/\/deployments/, forbidden);
      expect(await reports()).to.have.length(1);
      for (const kind of [/\/deployments/, /\/statuses/, /\/pipelines/])
        gitlab.next(kind, forbidden);
      expect(await refused(reports())).to.include('403 Forbidden');
    });
  });

  describe('check()', () => {
    const problems = async () => {
      const checked = await forge.check('main', never);
      return checked.problems.map(({ code, message }) => `${code}: ${message}`);
    };

    it('reports no problem, changes nothing, and shows earlier reports', async () => {
      gitlab.state.statuses[sha('main')] = [{ id: 1, name: 'host', status: 'success' }];
      const { pastDeployments, ...checked } = await forge.check('main', never);
      expect(checked).to.deep.equal({ problems: [], mayPush: true, isProtected: false });
      expect(
        pastDeployments.map(({ commit: of, reports }) => [of, reports[0]?.name]),
      ).to.deep.equal([[sha('main'), 'host']]);
      expect(gitlab.state.mergeRequests).to.deep.equal([]);
    });

    it('reports that a protected branch accepts no push of a Developer, but of a Maintainer', async () => {
      gitlab.state.isProtected = true;
      expect(await forge.check('main', never)).to.include({ isProtected: true, mayPush: false });
      actAs(40);
      expect(await forge.check('main', never)).to.include({ isProtected: true, mayPush: true });
    });

    it('reports that nothing was reported, and an unknown branch', async () => {
      expect((await problems()).join()).to.match(/^reports: .*\bmain\b/);
      const { problems: found } = await forge.check('gone', never);
      expect(found.map(({ code }) => code)).to.include('branch');
    });

    it('names a wrong token, a project of which it is no member, and a missing scope', async () => {
      forge = forges.open(place(), { ...token, token: 'wrong' });
      expect((await problems()).join()).to.match(/^credential: .*401 Unauthorized/);
      forge = forges.open(place(), token);
      actAs(null);
      expect((await problems()).join()).to.match(/^project: .*\bteam\/web\/site\b.*404 Project/);
      actAs(30, ['read_api']);
      const scopes = (await problems()).filter((problem) => problem.startsWith('scope'));
      expect(scopes).to.have.length(2);
      expect(scopes[0]).to.include('The request requires higher privileges');
    });

    it('says that the role of a Guest is too low, instead of that the branch is missing', async () => {
      actAs(10);
      const found = await problems();
      expect(found[0]).to.match(/^scope: .*\bGuest\b.*\bDeveloper\b/);
      expect(found.filter((problem) => problem.startsWith('branch'))).to.deep.equal([]);
      expect(found[1]).to.match(/^scope: .*\brole Guest does not allow reading/);
    });

    it('names an archived project, and one without merge requests', async () => {
      gitlab.state.archived = true;
      gitlab.state.mergeRequestsAccess = 'disabled';
      const found = await problems();
      expect(found[0]).to.match(/^project: .*\barchived\b/);
      expect(found[1]).to.match(/^project: Merge requests are disabled\b/);
    });
  });

  it('asks again only after the time that a rate limit names', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 600;
    gitlab.next(/merge_requests/, {
      status: 429,
      headers: {
        'ratelimit-remaining': '0',
        'ratelimit-reset': `${reset}`,
        'retry-after': '30',
      },
      body: 'Retry later',
    });
    const error = await failure(forge.findPullRequest(branch, never));
    expect(error).to.include({ code: 'UNAVAILABLE', retryable: true, retryAfter: 30_000 });
    await failure(forge.findPullRequest(branch, never));
    expect(gitlab.asked).to.have.length(1);
  });

  it('sends nothing more after an answer says that no request remains', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 600;
    gitlab.next(/merge_requests/, {
      status: 200,
      headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': `${reset}` },
      body: [],
    });
    expect(await forge.findPullRequest(branch, never)).to.equal(null);
    const { retryAfter } = await failure(forge.findPullRequest(branch, never));
    expect(retryAfter).to.be.within(500_000, 602_000);
  });
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('did not fail'),
    (error: unknown) => error as DomainError,
  );
