// Takes long: it starts Gitea, and a service twice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { isQuestion, type TaskView } from '../../src/contract/task.ts';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { type HostInBox, startHostInBox } from '../helpers/hostInBox/hostInBox.ts';
import { answerOf } from '../helpers/operator.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, pagesIn, smallPages } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const files = pagesIn(smallPages);

interface Pull {
  number: number;
  state: string;
  merged: boolean;
  head: { ref: string; label: string };
}
type Output = Extract<TaskView, { status: 'completed' }>['output'];

describe('a site whose pull requests people merge at Gitea', function () {
  this.timeout(600_000);
  const folder = temporaryFolder();
  let authority: Authority;
  let gitea: Gitea;
  let owner: GiteaUser;
  let service: Service;
  let repository: GiteaRepository;
  let box: HostInBox;
  let siteId: string;
  let taskId: string;
  let admin: Record<string, string>;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    authority = await createAuthority();
    writeFileSync(join(folder.path, 'authority.pem'), authority.ca);
    gitea = await startGitea(authority);
    owner = await gitea.createUser();
    repository = await gitea.createRepository(owner, files);
    box = await startHostInBox(gitea, repository, authority);
    await start();
    siteId = await connect();
  });
  after(async function () {
    await endServices(this.currentTest);
    await box?.close();
    await gitea?.close();
    folder.remove();
  });

  const start = async (env: Record<string, string> = {}) =>
    (service = await startService({
      dataDir: join(folder.path, 'data'),
      env: {
        CALLBACK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: join(folder.path, 'authority.pem'),
        ...env,
      },
    }));

  async function connect(): Promise<string> {
    const role = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...role, '--name', 'a');
    admin = { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
    const token = await gitea.createToken(owner, ['write:repository']);
    const { status, text, json } = await service.request('POST', '/api/v1/sites', {
      headers: admin,
      body: JSON.stringify({
        name: 'Site',
        repository: { url: repository.url, credential: { type: 'token', token } },
        host: { type: 'own', forge: 'gitea', hosts: box.hosts, publish: 'pull-request' },
      }),
    });
    expect(status, text).to.equal(201);
    const made = json as { siteId: string; webhookSecret: string; host: { webhookUrl: string } };
    await gitea.createWebhook(repository, {
      url: made.host.webhookUrl.replace('localhost', '127.0.0.1'),
      secret: made.webhookSecret,
      events: ['push', 'pull_request', 'status'],
    });
    return made.siteId;
  }

  const api = async <Body>(route: string, body?: object) =>
    (await gitea.ask<Body>(owner.token, route, body)).body;
  const pulls = () => api<Pull[]>(`GET /repos/${repository.path}/pulls?state=all`);
  const pullOf = async (branch: string) =>
    (await pulls()).filter(({ head }) => head.label === branch || head.ref === branch);
  const branches = async () =>
    (await api<{ name: string }[]>(`GET /repos/${repository.path}/branches`)).map(
      ({ name }) => name,
    );
  const mergeAt = (number: number) =>
    api(`POST /repos/${repository.path}/pulls/${number}/merge`, { Do: 'merge' });
  const pageAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };
  const post = async (path: string) => {
    const { status, text, json } = await service.request('POST', `/api/v1${path}`);
    expect(status, text).to.be.within(200, 202);
    return (json as { taskId: string }).taskId;
  };
  const waiting = (id: string, what: RegExp) =>
    until(`${id} to wait for ${what}`, async () => {
      const view = await service.readTask(id);
      const waitsFor = view.status === 'running' ? view.progress?.waitingFor : undefined;
      return waitsFor && !isQuestion(waitsFor) && what.test(waitsFor.what) ? waitsFor : undefined;
    });
  const completed = async (id: string): Promise<Output> => {
    const task = await service.waitForTask(id, 300_000);
    if (task.status !== 'completed') throw new Error(JSON.stringify(task));
    return task.output;
  };
  const create = (city: string) => service.createTask({ siteId, ...citiesBody([city]) });

  it('shows an edit by hand at its host: the branch moves to it', async () => {
    taskId = await create('Oslo');
    const { pagesCreated, pullRequestUrl } = await completed(taskId);
    expect(pullRequestUrl).to.equal(`${gitea.url}/${repository.path}/pulls/1`);
    const link = await service.request('POST', `/api/v1/agent/tasks/${taskId}/edit-link`);
    const url = new URL(String(link.json.url));
    const headers = { 'content-type': 'application/json', origin: url.origin };
    const session = await service.request('POST', `/edit/${taskId}/.session`, {
      headers,
      body: JSON.stringify({ key: url.hash.slice('#key='.length) }),
    });
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const page = `/edit/${taskId}/.page?slug=/locations/oslo`;
    const { json: opened } = await service.request('GET', page, { headers: { cookie } });
    const { digest, texts } = opened as {
      digest: string;
      texts: { id: string; level?: number }[];
    };
    const heading = texts.find(({ level }) => level === 1)!.id;
    const saved = await service.request('PUT', page, {
      headers: { ...headers, cookie },
      body: JSON.stringify({ digest, texts: { [heading]: ['Websites by hand'] } }),
    });
    expect(saved.status, saved.text).to.equal(200);
    const preview = pagesCreated[0]!.previewUrl!;
    await until('the edit at the host', async () =>
      (await pageAt(preview)).includes('Websites by hand'),
    );
    expect((await pullOf(taskId)).map(({ state }) => state)).to.deep.equal(['open']);
  });

  it('leaves the pull request open where its publish is cancelled, and publishes it later', async () => {
    const publishing = await post(`/agent/tasks/${taskId}/publish`);
    const { url } = await waiting(publishing, /merge/);
    expect(url).to.equal(`${gitea.url}/${repository.path}/pulls/1`);
    await service.request('POST', `/api/v1/agent/tasks/${publishing}/cancel`);
    expect(await service.waitForTask(publishing)).to.include({ status: 'failed' });
    expect((await pulls()).map(({ state }) => state)).to.deep.equal(['open']);
    expect(await branches()).to.include(taskId);

    const again = await post(`/agent/tasks/${taskId}/publish`);
    await waiting(again, /merge/);
    await mergeAt(1);
    const { pagesCreated } = await completed(again);
    expect(pagesCreated[0]!.publishedUrl).to.equal(`${box.productionUrl}/locations/oslo`);
    expect(await pageAt(pagesCreated[0]!.publishedUrl!)).to.include('Websites by hand');
    expect(await pulls()).to.have.length(1);
  });

  it('restores what was live by a commit on top, in a pull request of its own', async () => {
    const { json } = await service.request('GET', `/api/v1/sites/${siteId}/deployments`);
    const { deployments } = json as { deployments: { commit: string; isLive: boolean }[] };
    const first = deployments.at(-1)!;
    expect(first).to.include({ isLive: false });
    const restoring = await post(`/sites/${siteId}/deployments/${first.commit}/restore`);
    const { pagesDeleted, pullRequestUrl } = await completed(restoring);
    expect(pagesDeleted.map(({ slug }) => slug)).to.deep.equal(['/locations/oslo']);
    expect(pullRequestUrl).to.equal(`${gitea.url}/${repository.path}/pulls/2`);
    const publishing = await post(`/agent/tasks/${restoring}/publish`);
    await waiting(publishing, /merge/);
    await mergeAt(2);
    await completed(publishing);
    const [, above] = await api<{ sha: string }[]>(
      `GET /repos/${repository.path}/commits?sha=main&path=locations/oslo.html`,
    );
    expect(above, 'the history goes on').to.be.an('object');
    const gone = await gitea.ask(
      owner.token,
      `GET /repos/${repository.path}/contents/locations/oslo.html`,
    );
    expect(gone.status).to.equal(404);
  });

  it('takes the branch of a failed build back, and tries the task again', async () => {
    const failing = await create('Bergen');
    box.behave(failing, { fails: true });
    const failed = await service.waitForTask(failing, 300_000);
    expect(failed).to.include({ status: 'failed' });
    expect((failed as { errorMessage: string }).errorMessage).to.match(
      /^The host could not build it .*: its log is at https:\/\/127\.0\.0\.1:\d+\/logs\/\d+$/,
    );
    expect((await pullOf(failing)).map(({ state }) => state)).to.not.include('open');
    expect(await branches()).to.not.include(failing);
    taskId = await post(`/agent/tasks/${failing}/retry`);
    const { pagesCreated } = await completed(taskId);
    expect(await pageAt(pagesCreated[0]!.previewUrl!)).to.include('Bergen');
  });

  it('puts pages live by a publish that comes after the merge, of a batch too', async () => {
    const early = await create('Moss');
    await completed(early);
    const { batches } = service.client;
    const row = { targetPageSlug: '/locations/hamar', context: 'City: Hamar' };
    const made = { siteId, templatePageSlug: '/locations/austin', title: 'Hamar' };
    const { batchId } = await batches.create([row], made);
    await batches.waitFor(batchId, { timeoutMs: 300_000 });
    for (const branch of [early, batchId]) {
      const [pull] = await pullOf(branch);
      await until(`the merge of ${branch}`, async () => {
        await mergeAt(pull!.number);
        return (await pullOf(branch)).some(({ merged }) => merged);
      });
    }
    const { pagesCreated } = await completed(await post(`/agent/tasks/${early}/publish`));
    await batches.publish(batchId);
    await batches.waitFor(batchId, { timeoutMs: 300_000 });
    const [hamar] = await Array.fromAsync(batches.rows(batchId));
    expect([pagesCreated[0]!.publishedUrl, hamar?.publishedUrl]).to.deep.equal(
      ['moss', 'hamar'].map((city) => `${box.productionUrl}/locations/${city}`),
    );
    for (const branch of [early, batchId]) expect(await pullOf(branch)).to.have.length(1);
  });
});
