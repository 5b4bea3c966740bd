// Takes long: it starts a service of its own. GitLab itself can't run here: test/helpers has a server
// that follows its documentation.
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import type { BranchHost } from '../helpers/branchHost.ts';
import {
  type GitLabInstance,
  type GitLabSite,
  startGitLabSite,
} from '../helpers/gitlabInstance.ts';
import { gitlabProject, gitlabToken } from '../helpers/gitlabServer.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { filesWith } from '../helpers/team/privateRepository.ts';
import { git } from '../helpers/team/git.ts';
import { pagesIn, smallPages } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

describe('a site at a GitLab under a path, with an authority of its own', function () {
  this.timeout(300_000);
  let started: GitLabSite;
  let gitlab: GitLabInstance;
  let pages: BranchHost;
  let remote: string;
  let service: Service;
  let headers: Record<string, string>;

  before(async () => {
    started = await startGitLabSite(pagesIn(smallPages));
    ({ gitlab, host: pages, remote } = started);
    service = await startService({ env: started.env });
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin, '--name', 'a');
    headers = { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
  });
  after(async function () {
    await endServices(this.currentTest);
    await started?.[Symbol.asyncDispose]();
  });

  const ask = (method: string, path: string, body?: object) =>
    service.request(method, `/api/v1${path}`, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });

  const repository = () => ({
    url: `${gitlab.url}/${gitlabProject}.git`,
    credential: { type: 'token', token: gitlabToken },
  });
  const host = () => ({
    type: 'own',
    forge: 'gitlab',
    apiUrl: gitlab.apiUrl,
    publish: 'pull-request',
    merge: 'automatic',
    hosts: [pages.host],
    liveUrl: `${pages.url}/main/`,
  });
  const pageOf = (city: string) => ({
    targetPageSlug: `/locations/${city.toLowerCase()}`,
    context: `City: ${city}\nHeadline: Web design in ${city}`,
  });
  const createTask = (city: string) =>
    service.createTask({
      siteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [pageOf(city)],
      publish: true,
    });
  /** Waits until only an approval is missing, which the task has told GitLab to wait for. */
  const waitForApproval = (iid: number) =>
    until('the missing approval', () => {
      const one = gitlab.state.mergeRequests.find((each) => each.iid === iid);
      return one?.merge_when_pipeline_succeeds && one.detailed_merge_status === 'not_approved';
    });
  let siteId: string;

  it('shows a past deployment in the check, and accepts only the webhooks of its GitLab', async () => {
    const checked = await ask('POST', '/sites/check', { repository: repository(), host: host() });
    expect(checked.json, checked.text).to.deep.include({ ok: true });
    expect(checked.json).to.have.nested.property('host.problems').that.deep.equals([]);
    expect((checked.json as { host: { proof: object } }).host.proof).to.include({
      name: 'production',
      url: `${pages.url}/main/`,
      status: 200,
    });
    const made = await ask('POST', '/sites', {
      name: 'Acme',
      repository: repository(),
      host: host(),
    });
    expect(made.status, made.text).to.equal(201);
    expect(made.json).to.have.nested.property('host.project', gitlabProject);
    const site = made.json as {
      siteId: string;
      webhookSecret: string;
      host: { webhookUrl: string };
    };
    ({ siteId, webhookSecret } = site);
    const url = site.host.webhookUrl.replace('localhost', '127.0.0.1');
    gitlab.addWebhook({ url, token: 'wrong' });
    gitlab.addWebhook({ url, token: webhookSecret });
    gitlab.addWebhook({ url, signingToken: webhookSecret });
  });
  let webhookSecret: string;

  it('goes through a review app and a merge request with an approval to a live page', async () => {
    gitlab.state.approvalsLeft = 1;
    const taskId = await createTask('Boston');
    await waitForApproval(1);
    gitlab.approve(1);
    const task = await service.waitForTask(taskId, 240_000);
    expect(task.status, JSON.stringify(task)).to.equal('completed');
    const { pagesCreated, pullRequestUrl } = (
      task as unknown as {
        output: { pagesCreated: Record<string, string>[]; pullRequestUrl: string };
      }
    ).output;
    expect(pullRequestUrl).to.equal(`${gitlab.url}/${gitlabProject}/-/merge_requests/1`);
    expect(gitlab.state.mergeRequests.map(({ state }) => state)).to.deep.equal(['merged']);
    expect(git(remote, 'rev-list', '--count', '--merges', 'main'), 'merge commits').to.equal('1');
    const [{ previewUrl = '', publishedUrl = '' } = {}] = pagesCreated;
    expect(previewUrl).to.include(`${pages.url}/${taskId}/locations/boston`);
    expect(publishedUrl).to.include(`${pages.url}/main/locations/boston`);
    const live = await fetch(publishedUrl, {
      dispatcher: new Agent({ connect: { ca: started.ca } }),
    });
    expect(await live.text()).to.include('Web design in Boston');
    const [wrong, rightToken, signed] = [0, 1, 2].map((nth) =>
      gitlab.deliveries.filter((_, index) => index % 3 === nth),
    );
    expect(new Set(wrong!.map(({ status }) => status))).to.deep.equal(new Set([401]));
    for (const delivered of [rightToken!, signed!]) {
      expect(new Set(delivered.map(({ status }) => status))).to.deep.equal(new Set([204]));
      expect(delivered.map(({ event }) => event)).to.include.members([
        'Push Hook',
        'Deployment Hook',
        'Pipeline Hook',
        'Merge Request Hook',
      ]);
    }
    for (const secret of [gitlabToken, webhookSecret]) {
      expect(service.launched.log(), 'log').not.to.include(secret);
      expect(filesWith(service.dataDir, secret), 'files, database and histories').to.deep.equal([]);
    }
  });

  it('says that a project which only fast-forwards has newer commits, and publishes again', async () => {
    gitlab.state.mergeMethod = 'ff';
    gitlab.state.approvalsLeft = 1;
    const taskId = await createTask('Chicago');
    await waitForApproval(2);
    const newer = git(remote, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'A newer commit');
    git(remote, 'update-ref', 'refs/heads/main', newer);
    gitlab.approve(2);
    const task = await service.waitForTask(taskId, 240_000);
    expect(task.status, JSON.stringify(task)).to.equal('completed');
    const note = `Merge request !2 can't be merged, because the project only fast-forwards, and main has newer commits. Publish again, which updates its branch: ${gitlab.url}/${gitlabProject}/-/merge_requests/2`;
    expect(JSON.stringify(task)).to.include(note);
    const { taskId: publishId } = await service.client.tasks.publish(taskId);
    const published = await service.waitForTask(publishId, 240_000);
    expect(published.status, JSON.stringify(published)).to.equal('completed');
    expect(gitlab.state.mergeRequests.map(({ state }) => state)).to.deep.equal([
      'merged',
      'merged',
    ]);
    expect(git(remote, 'rev-list', '--count', `${newer}..main`)).not.to.equal('0');
    expect(git(remote, 'cat-file', '-t', 'main:locations/chicago.html')).to.equal('blob');
  });

  it('says that a deploy token can read the repository, but neither push nor use the API', async () => {
    const [username, token] = ['gitlab+deploy-token-1', 'gldt-4711'];
    gitlab.deployTokens[token] = username;
    const { url } = repository();
    const withName = { url, credential: { type: 'token', username, token } };
    const check = async (body: object) => {
      const { json, text } = await ask('POST', '/sites/check', body);
      expect(text).not.to.include(token);
      return json as {
        readable: boolean;
        pushable: boolean;
        problems: { code: string; message: string }[];
        host?: { problems: { code: string; message: string }[] };
      };
    };
    const embedded = await check({ repository: withName });
    expect(embedded).to.include({ readable: true, pushable: false });
    expect(embedded.problems[0]?.message).to.match(/cannot push .*\bdeploy tokens of GitLab\b/);
    const { host: own } = await check({ repository: withName, host: host() });
    expect(own?.problems[0]?.message).to.match(/project or group access token/);
    const unnamed = await check({ repository: { url, credential: { type: 'token', token } } });
    expect(unnamed).to.include({ readable: false });
  });
});
