// Takes long: two API and two worker processes on one PostgreSQL and one Temporal server, started
// and killed.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskOutput } from '../../src/contract/task.ts';
import { Deployment } from '../helpers/deployment.ts';
import type { LaunchedProcess } from '../helpers/launched.ts';
import { headlineOf } from '../helpers/markup.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { needProgram } from '../helpers/programs.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const CREATE_LIMIT = 8;
const WITHIN_MS = 300_000;
/** A little less: the limit counts from the first request on. */
const MINUTE_MS = 55_000;

const post = (body: object, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

describe('API and worker processes on one PostgreSQL and one Temporal cluster', function () {
  this.timeout(2 * WITHIN_MS);
  let deployment: Deployment;
  let owner: { apiKey: string; organizationId: string };
  let apis: [Service, Service];
  let workers: [LaunchedProcess, LaunchedProcess];
  let site: TeamSite;

  before(async () => {
    deployment = await Deployment.start();
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    await deployment?.stop();
  });

  const newKey = async () => {
    const words = ['--organization', owner.organizationId, '--role', 'member'];
    return (await deployment.answerOf('key', 'create', ...words)).apiKey as string;
  };

  describe('a start on a Temporal cluster that was not set up', () => {
    /** How a process ends that can't start, and what it says last. */
    async function failedStart(role: 'api' | 'worker', namespace: string) {
      const launched = deployment.launch(role, { TEMPORAL_NAMESPACE: namespace });
      await until(`the end of ROLE=${role}`, () => launched.hasEnded());
      const { code } = await launched.ended;
      const [last = '', ...progress] = launched.stderr.trimEnd().split('\n').reverse();
      return { code, last, progress: progress.reverse() };
    }

    for (const role of ['api', 'worker'] as const)
      it(`ends ROLE=${role} with one line that says what to do`, async () => {
        const { code, last, progress } = await failedStart(role, 'scaled-out');
        expect(last).to.equal(
          'Temporal namespace "scaled-out" does not exist. To create it, run `npm run cli -- temporal setup` (for Temporal Cloud, see docs/deployment.md)',
        );
        expect(progress.join('\n')).to.not.match(/error|scaled-out/i);
        expect(code).to.equal(1);
      });
  });

  describe('operator commands', () => {
    it('set up the Temporal namespace, and can be repeated', async () => {
      for (let i = 0; i < 2; i++)
        expect(await deployment.answerOf('temporal', 'setup')).to.deep.equal({
          namespace: deployment.namespace,
        });
    });

    it('create an organization, a key and a site in the database before any process runs', async () => {
      const { organizationId } = await deployment.answerOf(
        'organization',
        'create',
        '--name',
        'Acme',
      );
      owner = { organizationId: organizationId as string, apiKey: '' };
      owner.apiKey = await newKey();
      const limits = { RATE_LIMIT_CREATE_PER_MINUTE: String(CREATE_LIMIT) };
      workers = await Promise.all([deployment.startWorker(), deployment.startWorker()]);
      apis = await Promise.all([
        deployment.startApi(owner, limits),
        deployment.startApi(owner, limits),
      ]);
      site = new TeamSite(apis[0], 'shared-site');
      const words = [
        '--organization',
        owner.organizationId,
        '--name',
        site.name,
        '--repository',
        site.remote,
      ];
      const created = await deployment.answerOf('site', 'create', ...words);
      expect(created.pages).to.be.greaterThan(9);
      site.siteId = created.siteId as string;
    });
  });

  describe('the processes', () => {
    it('are ready, each with what it needs itself', async () => {
      for (const api of apis) {
        const { status, json } = await api.request('GET', '/readyz');
        expect(json).to.deep.equal({
          status: 'ready',
          checks: { database: true, disk: true, temporal: true, searchAttributes: true },
        });
        expect(status).to.equal(200);
      }
    });
  });

  describe('a task that was created at one API process', () => {
    let taskId: string;
    let output: TaskOutput;
    const mirrorsOf = ({ dataDir }: Service) => {
      const folder = join(dataDir, 'repositories');
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.filter((name) => name.startsWith(site.siteId)).map((name) => join(folder, name));
    };
    const holds = (api: Service, ref: string) =>
      execFileSync('git', ['for-each-ref', '--format=%(refname)', ref], {
        cwd: mirrorsOf(api)[0]!,
        encoding: 'utf8',
      });

    it('can be read at the other', async () => {
      taskId = await site.create(citiesBody(['Lisbon', 'Porto']));
      expect(await apis[1].readTask(taskId)).to.include({ taskId });
      output = outputOf(await apis[1].waitForTask(taskId));
      expect(outputOf(await apis[0].readTask(taskId))).to.deep.equal(output);
      expect(output.pagesCreated.map(({ slug }) => slug)).to.deep.equal([
        '/locations/lisbon',
        '/locations/porto',
      ]);
    });

    it('has previews under PUBLIC_URL, which each API process serves from its own repository', async () => {
      const previewUrls = output.pagesCreated.map(({ previewUrl }) => previewUrl!);
      for (const url of previewUrls)
        expect(new URL(url).host).to.equal(`${taskId}--${site.name}.preview.localhost:8080`);
      for (const api of apis) {
        expect(mirrorsOf(api)).to.deep.equal([]);
        const { status, text } = await api.request('GET', previewUrls[0]!);
        expect(status).to.equal(200);
        expect(headlineOf(text)).to.equal('Web design in Lisbon that works');
        expect(holds(api, `refs/agent-tasks/${taskId}`).trim()).to.equal(
          `refs/agent-tasks/${taskId}`,
        );
      }
    });

    it('is the answer to the same Idempotency-Key at both', async () => {
      const headers = { 'idempotency-key': 'row-7' };
      const body = { siteId: site.siteId, ...citiesBody(['Faro']) };
      const replies = await Promise.all(
        apis.map((api) => api.request('POST', '/api/v1/agent/tasks', post(body, headers))),
      );
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(replies[0]!.json).to.deep.equal(replies[1]!.json);
      outputOf(await apis[1].waitForTask(replies[0]!.json.taskId as string));
    });
  });

  describe('what the API processes share', () => {
    it('includes a published page, which is live at both', async () => {
      const before = await Promise.all(
        apis.map((api) => api.request('GET', site.live('/locations/braga'))),
      );
      expect(before.map(({ status }) => status)).to.deep.equal([404, 404]);
      const { pagesCreated } = outputOf(await site.run(citiesBody(['Braga'], { publish: true })));
      const { publishedUrl } = pagesCreated[0]!;
      expect(publishedUrl).to.equal(`http://${site.name}.sites.localhost:8080/locations/braga`);
      for (const api of apis) {
        const { status, text } = await api.request('GET', publishedUrl!);
        expect(status).to.equal(200);
        expect(headlineOf(text)).to.equal('Web design in Braga that works');
      }
    });

    it('includes what one API process counts against a key', async function () {
      if (!deployment.database.hasSessions) needProgram(this, 'PostgreSQL');
      /** More requests than the limit, at both processes; too slow ones fall into two minutes. */
      async function countRequests() {
        const authorization = `Bearer ${await newKey()}`;
        const began = performance.now();
        const replies = [];
        for (let i = 0; i < CREATE_LIMIT + 2; i++)
          replies.push(
            await apis[i % 2]!.request('POST', '/api/v1/agent/tasks', post({}, { authorization })),
          );
        return performance.now() - began < MINUTE_MS && replies;
      }
      const replies = await until('all requests within a minute', countRequests, WITHIN_MS);
      for (const [i, { status, headers }] of replies.slice(0, CREATE_LIMIT).entries()) {
        expect(status, `request ${i}`).to.equal(400);
        expect(String(headers['ratelimit'])).to.include(`;r=${CREATE_LIMIT - 1 - i};`);
      }
      expect(replies.slice(CREATE_LIMIT).map(({ status }) => status)).to.deep.equal([429, 429]);
    });
  });

  describe('kill -9 of a worker in the middle of a task', () => {
    const pushesOf = (worker: LaunchedProcess) =>
      processesOf(worker.dataDir).filter(({ command }) =>
        /^git .* push --porcelain /.test(command),
      );

    // behind a push, of commitChanges too: deadHome.test.ts
    it('during publish lets the other worker complete the task with one commit, published once', async () => {
      const [head, gate] = [site.head(), site.gate('refs/heads/main')];
      const taskId = await site.create(citiesBody(['Evora'], { publish: true }));
      await gate.arrived();
      const busy = await until('the worker that pushes', () => {
        const index = workers.findIndex((worker) => pushesOf(worker).length > 0);
        return index >= 0 && String(index);
      }).then(Number);
      const other = workers[1 - busy]!;
      await workers[busy]!.kill();
      // a killed worker counts as dead after 45 s without heartbeats, and a home as gone 15 s
      // later at most
      await until('the push of the other worker', () => pushesOf(other).length > 0, WITHIN_MS);
      gate.open();

      const { pagesCreated } = outputOf(await apis[1].waitForTask(taskId, WITHIN_MS));
      const ends = (worker: LaunchedProcess) =>
        worker.lines().filter((line) => line.taskId === taskId && line.activity === 'publish');
      expect(ends(workers[busy]!), 'ends of the step in the killed worker').to.deep.equal([]);
      expect(ends(other).map(({ msg }) => msg)).to.deep.equal(['activity completed']);
      expect((await apis[0].request('GET', pagesCreated[0]!.publishedUrl!)).status).to.equal(200);
      const commits = git(site.remote, 'log', '--format=%H %P', `${head}..main`);
      expect(commits.split('\n')).to.deep.equal([`${site.head()} ${head}`]);
      expect(git(site.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(site.head());
    });
  });

  describe('SIGTERM', () => {
    it('ends every process, with exit code 0', async () => {
      const running = [
        ...workers.filter((worker) => !worker.hasEnded()),
        ...apis.map((api) => api.launched),
      ];
      expect(running, 'one was killed').to.have.length(3);
      for (const launched of running) {
        expect(await launched.stop()).to.deep.equal({ code: 0, signal: null });
        expect(launched.stderr).to.match(/Stopping\n$/);
      }
    });
  });
});
