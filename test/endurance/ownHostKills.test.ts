// Takes long: it starts Gitea, and a service after each kill.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type AnswerGate, startAnswerGate } from '../helpers/gitea/answerGate.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { type HostInBox, startHostInBox } from '../helpers/hostInBox/hostInBox.ts';
import { SOON_MS } from '../helpers/kills.ts';
import { answerOf } from '../helpers/operator.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { pagesIn, smallPages } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const files = pagesIn(smallPages);

const WITHIN_MS = 240_000;
/**
 * Steps behind each of which the service is killed: those that a site of the service does not have,
 * and the last one. `test/endurance/kills.test.ts` kills it behind the others.
 */
const steps = ['checkDeployment', 'mergePullRequest', 'deployProduction'];

interface Pull {
  number: number;
  head: { ref: string };
  merged: boolean;
}

interface Commit {
  commit: { message: string };
  parents: object[];
}

describe('a running task on a site with an external host', function () {
  this.timeout(900_000); // a machine that does other work too starts each service in half a minute
  const folder = temporaryFolder();
  let authority: Authority;
  let gitea: Gitea;
  let owner: GiteaUser;
  let service: Service;
  let repository: GiteaRepository;
  let box: HostInBox;
  let gate: AnswerGate;
  let authorization: string;
  let siteId: string;
  let webhookSecret: string;
  const tasks: string[] = [];

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    authority = await createAuthority();
    writeFileSync(join(folder.path, 'authority.pem'), authority.ca);
    gitea = await startGitea(authority);
    owner = await gitea.createUser();
    repository = await gitea.createRepository(owner, files);
    box = await startHostInBox(gitea, repository, authority);
    gate = await startAnswerGate(gitea, authority);
    await start();
    await connect();
  });
  after(async function () {
    await endServices(this.currentTest);
    await gate?.close();
    await box?.close();
    await gitea?.close();
    folder.remove();
  });

  beforeEach(async () => {
    if (service.launched.hasEnded()) await start();
  });

  const start = async () =>
    (service = await startService({
      dataDir: join(folder.path, 'data'),
      env: {
        CALLBACK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: join(folder.path, 'authority.pem'),
      },
    }));

  const ask = (method: string, path: string, body: object) =>
    service.request(method, `/api/v1${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function connect(): Promise<void> {
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin, '--name', 'a');
    authorization = `Bearer ${String(apiKey)}`;
    const scopes = ['write:repository', 'write:issue', 'read:user'];
    const token = await gitea.createToken(owner, scopes);
    const { status, text, json } = await ask('POST', '/sites', {
      name: 'Site',
      repository: { url: repository.url, credential: { type: 'token', token } },
      host: {
        type: 'own',
        forge: 'gitea',
        apiUrl: gate.apiUrl,
        hosts: box.hosts,
        publish: 'pull-request',
        merge: 'automatic',
      },
    });
    expect(status, text).to.equal(201);
    ({ siteId, webhookSecret } = json as { siteId: string; webhookSecret: string });
  }

  const api = async <Body>(route: string) => (await gitea.ask<Body>(owner.token, route)).body;
  const pageAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };

  /** A task that makes a city's page. @returns its id */
  async function create(city: string, publish: boolean): Promise<string> {
    const taskId = await service.createTask({
      siteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [{ targetPageSlug: slugOf(city), context: `City: ${city}` }],
      publish,
    });
    tasks.push(taskId);
    return taskId;
  }
  const slugOf = (city: string) => `/locations/${city.toLowerCase()}`;

  const startAfterKill = async () => {
    await service.kill();
    await start();
  };
  const done = (taskId: string, step: string) =>
    until(
      `${step} of the task`,
      () =>
        service.launched.lines().some((line) => line.taskId === taskId && line.activity === step),
      WITHIN_MS,
      SOON_MS,
    );
  /** @param what begins what the task says that it waits for */
  const waits = (taskId: string, what: string) =>
    until(
      `the task to wait for ${what}`,
      async () => {
        const task = await service.readTask(taskId);
        if (task.status !== 'running') throw new Error(JSON.stringify(task));
        const wait = task.progress?.waitingFor;
        return wait && 'what' in wait && wait.what.startsWith(what);
      },
      WITHIN_MS,
      500,
    );

  /** What a task has made, and one branch, one pull request and one merge of each. */
  async function expectDoneOnce(taskId: string, city: string, made = taskId): Promise<void> {
    const task = await service.waitForTask(taskId, WITHIN_MS);
    expect(task.status, JSON.stringify(task)).to.equal('completed');
    const { output } = task as unknown as {
      output: { pagesCreated: { publishedUrl: string; previewUrl: string }[] };
    };
    const [page] = output.pagesCreated;
    expect(page, JSON.stringify(task)).to.deep.include({
      previewUrl: `${box.previewUrl(made)}${slugOf(city)}`,
      publishedUrl: `${box.productionUrl}${slugOf(city)}`,
    });
    expect(await pageAt(page!.publishedUrl)).to.include(city);
    const branches = await api<{ name: string }[]>(`GET /repos/${repository.path}/branches`);
    expect(branches.map(({ name }) => name)).to.have.members(['main', ...tasks]);
    const pulls = await api<Pull[]>(`GET /repos/${repository.path}/pulls?state=all`);
    expect(pulls.map(({ head }) => head.ref)).to.have.members(tasks);
    expect(pulls.filter(({ merged }) => !merged)).to.deep.equal([]);
    const commits = await api<Commit[]>(`GET /repos/${repository.path}/commits?sha=main`);
    const merges = commits.filter(({ parents }) => parents.length === 2);
    expect(merges.map(({ commit }) => commit.message)).to.have.length(tasks.length);
    const own = commits.filter(({ commit }) => commit.message.includes(made));
    expect(own.filter(({ parents }) => parents.length === 1)).to.have.length(1);
  }

  it(`continues after kill -9 of the service behind each of ${steps.join(', ')}`, async () => {
    const taskId = await create('Oslo', true);
    for (const step of steps) {
      await done(taskId, step);
      await startAfterKill();
    }
    await expectDoneOnce(taskId, 'Oslo');
  });

  it('sees after kill -9 what people have merged in the meantime', async () => {
    const host = { type: 'own', merge: 'by-people' };
    const { status, text } = await ask('PATCH', `/sites/${siteId}`, { host });
    expect(status, text).to.equal(200);
    const made = await create('Narva', false);
    await service.waitForTask(made, WITHIN_MS);
    const { taskId } = await service.client.tasks.publish(made);
    await waits(taskId, 'a person to merge the pull request');
    await startAfterKill();
    await waits(taskId, 'a person to merge the pull request');
    await service.kill();
    const pulls = await api<Pull[]>(`GET /repos/${repository.path}/pulls?state=open`);
    const [pull] = pulls;
    const merge = `POST /repos/${repository.path}/pulls/${pull!.number}/merge`;
    await until('the merge', async () => {
      const { status } = await gitea.ask(owner.token, merge, { Do: 'merge' });
      return status === 200;
    });
    await start();
    // what the forge told meanwhile is lost: the next news, or the next look, finds the merge
    await gitea.createWebhook(repository, {
      url: `http://127.0.0.1:${service.port}/api/v1/webhooks/forges/${siteId}`,
      secret: webhookSecret,
      events: ['status'],
    });
    const report = { state: 'success', context: 'lint' };
    await gitea.ask(owner.token, `POST /repos/${repository.path}/statuses/main`, report);
    await expectDoneOnce(taskId, 'Narva', made);
  });
});
