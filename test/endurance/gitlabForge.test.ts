// Takes long: it starts a service of its own. GitLab itself can't run here: test/helpers has a server
// that follows its documentation.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { type BranchHost, startBranchHost } from '../helpers/branchHost.ts';
import { createAuthority } from '../helpers/certificates.ts';
import {
  type GitLabServer,
  gitlabProject,
  gitlabToken,
  GITLAB_ID,
  startGitLabInstance,
} from '../helpers/gitlabServer.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { filesWith } from '../helpers/team/privateRepository.ts';
import { pagesIn, smallPages } from '../helpers/team/site.ts';
import { git, Workplace } from '../helpers/team/workplace.ts';

describe('a site at a GitLab under a path, with an authority of its own', function () {
  this.timeout(300_000);
  const place = new Workplace();
  const remote = join(place.folder, 'gitlab', `${gitlabProject}.git`);
  let gitlab: GitLabServer & { url: string };
  let pages: BranchHost;
  let service: Service;
  let ca: string;
  let headers: Record<string, string>;

  before(async () => {
    place.push(pagesIn(smallPages));
    mkdirSync(dirname(remote), { recursive: true });
    git(place.folder, 'clone', '-q', '--bare', place.remote, remote);
    git(remote, 'config', 'http.receivepack', 'true');
    const authority = await createAuthority();
    ({ ca } = authority);
    const certificates = join(place.folder, 'authority.pem');
    writeFileSync(certificates, ca);
    const certificate = await authority.issue({ ip: ['127.0.0.1'] });
    gitlab = await startGitLabInstance(place.folder, certificate);
    pages = await startBranchHost(remote, certificate);
    service = await startService({
      env: { CALLBACK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates },
    });
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin, '--name', 'a');
    headers = { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
  });
  after(async function () {
    await endServices(this.currentTest);
    await Promise.all([pages?.close(), gitlab?.[Symbol.asyncDispose]()]);
    await place.remove();
  });

  const ask = (method: string, path: string, body?: object) =>
    service.request(method, `/api/v1${path}`, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });

  it('goes from its connection to a merged merge request and a live page', async () => {
    const repository = {
      url: `${gitlab.url}/${gitlabProject}.git`,
      credential: { type: 'token', token: gitlabToken },
    };
    const host = {
      type: 'own',
      forge: 'gitlab',
      apiUrl: gitlab.apiUrl,
      publish: 'pull-request',
      merge: 'automatic',
      hosts: [pages.host],
      previewUrl: `${pages.url}/{branch}`,
      liveUrl: `${pages.url}/main/`,
    };
    const checked = await ask('POST', '/sites/check', { repository, host });
    expect(checked.json, checked.text).to.deep.include({ ok: true });
    expect(checked.json).to.have.nested.property('host.problems').that.deep.equals([]);
    const made = await ask('POST', '/sites', { name: 'Acme', repository, host });
    expect(made.status, made.text).to.equal(201);
    const { siteId, webhookSecret } = made.json as Record<string, string>;
    expect(made.json).to.have.nested.property('host.project', gitlabProject);

    const hook = (token: string) =>
      service.request('POST', `/api/v1/webhooks/forges/${siteId}`, {
        headers: {
          'content-type': 'application/json',
          'x-gitlab-event': 'Push Hook',
          'x-gitlab-token': token,
        },
        body: JSON.stringify({
          object_kind: 'push',
          ref: 'refs/heads/main',
          after: 'c0'.repeat(20),
          project: { id: GITLAB_ID, path_with_namespace: gitlabProject },
        }),
      });
    expect((await hook('wrong')).status).to.equal(401);
    expect((await hook(webhookSecret!)).status).to.equal(204);

    const taskId = await service.createTask({
      siteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [
        {
          targetPageSlug: '/locations/boston',
          context: 'City: Boston\nHeadline: Web design in Boston',
        },
      ],
      publish: true,
    });
    const task = await service.waitForTask(taskId, 240_000);
    expect(task.status, JSON.stringify(task)).to.equal('completed');
    const { pagesCreated, pullRequestUrl } = (
      task as unknown as {
        output: { pagesCreated: Record<string, string>[]; pullRequestUrl: string };
      }
    ).output;
    expect(pullRequestUrl).to.equal(`${gitlab.url}/${gitlabProject}/-/merge_requests/1`);
    expect(gitlab.state.mergeRequests.map(({ state }) => state)).to.deep.equal(['merged']);
    const [{ previewUrl = '', publishedUrl = '' } = {}] = pagesCreated;
    expect(previewUrl).to.include(`${pages.url}/${taskId}/locations/boston`);
    expect(publishedUrl).to.include(`${pages.url}/main/locations/boston`);
    const live = await fetch(publishedUrl, { dispatcher: new Agent({ connect: { ca } }) });
    expect(await live.text()).to.include('Web design in Boston');
    for (const secret of [gitlabToken, webhookSecret!]) {
      expect(service.launched.log(), 'log').not.to.include(secret);
      expect(filesWith(service.dataDir, secret), 'files, database and histories').to.deep.equal([]);
    }
  });
});
