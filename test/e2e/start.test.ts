import { expect } from 'chai';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { askService } from '../../src/cli/ask.ts';
import { operatorSocketPath } from '../../src/cli/socketPath.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { processesOf } from '../helpers/processes.ts';
import {
  endServices,
  launchService,
  READY_WITHIN_MS,
  type Service,
  startService,
  untilReady,
} from '../helpers/service.ts';
import { citiesBody } from '../helpers/teamSite.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';

const noneLeft = (dataDir: string) =>
  until('the end of every process of the service', () => processesOf(dataDir).length === 0, 20_000);
const pageOf = (view: TaskView) => {
  expect(view.status).to.equal('completed');
  return view.status === 'completed' ? view.output.pagesCreated[0]! : expect.fail();
};

describe('the start of the service', function () {
  this.timeout(180_000);
  describe('with an empty data folder that all users may read', () => {
    let service: Service;
    const empty = temporaryFolder();
    before(async () => {
      chmodSync(empty.path, 0o755);
      service = await startService({ dataDir: empty.path });
    });
    after(async () => {
      await service?.end();
      empty.remove();
    });
    afterEach(function () {
      if (this.currentTest?.isFailed()) console.error(service.launched.log());
    });

    it('makes everything, says each step on a line, and is ready', async () => {
      const steps = service.launched.stderr.split('\n').filter(Boolean);
      expect(steps[0]).to.equal(`Opening the database in ${service.dataDir}`);
      expect(steps[1]).to.equal('Starting the Temporal server');
      expect(steps[2]).to.match(/^Temporal CLI: \/\S+ \(.+\)$/);
      expect(steps.slice(3, 5)).to.deep.equal(['Starting the worker', 'Looking after the demo site']);
      expect(steps[5]).to.equal(`Ready: ${service.demo.baseUrl}`);
      expect(steps[6]).to.equal(`Temporal UI: ${service.demo.temporalUiUrl}`);
      expect(steps[7]).to.equal(`Reference: http://localhost:${service.port}/docs`);
      expect((await service.request('GET', '/docs')).status).to.equal(200);
      const ready = await service.request('GET', '/readyz');
      expect(ready.status).to.equal(200);
      expect(ready.json).to.deep.equal({
        status: 'ready',
        checks: { database: true, disk: true, temporal: true, worker: true, searchAttributes: true },
      });
    });

    it('warns of nothing', () => {
      const lines = service.launched.stdout.trimEnd().split('\n');
      const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
      expect(new Set(levels), service.launched.stdout).to.deep.equal(new Set(['info']));
    });

    it('closes the folder to other users', () => {
      expect(statSync(service.dataDir).mode & 0o777).to.equal(0o700);
    });

    it('describes the API at its own address', async () => {
      const { json } = await service.request('GET', new URL('openapi.json', `${service.demo.baseUrl}/`).href);
      expect(json.servers).to.deep.equal([{ url: service.demo.baseUrl }]);
    });

    it('writes demo.json with the documented fields, for its owner only', async () => {
      const file = join(service.dataDir, 'demo.json');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const demo = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      expect(Object.keys(demo)).to.have.members(['baseUrl', 'apiKey', 'organizationId', 'siteId', 'temporalUiUrl']);
      expect(demo.baseUrl).to.equal(`http://localhost:${service.port}/api/v1`);
      expect(demo.apiKey).to.match(/^ak_[0-9A-Za-z]{46}$/);
      expect(demo.siteId).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const ui = await fetch(demo.temporalUiUrl!);
      expect(ui.status).to.equal(200);
      await ui.text();
    });

    it('refuses a second service on the same data folder, in one line that says what to do, and goes on', async () => {
      const second = launchService({ dataDir: service.dataDir });
      await until('the end of the second service', () => second.hasEnded());
      expect(await second.ended).to.deep.equal({ code: 1, signal: null });
      expect(second.stderr.trimEnd().split('\n').slice(1)).to.deep.equal([
        `DATA_DIR ${service.dataDir} is in use by another process (pid ${service.launched.pid}): stop that one, or choose another DATA_DIR`,
      ]);
      expect((await service.request('GET', '/readyz')).status).to.equal(200);
    });

    it('prints a request that works as it is pasted', async () => {
      const [, url, key, body] = /curl -s (\S+) [^]*?Bearer (\S+)'[^]*?-d '([^']+)'/.exec(service.launched.stderr)!;
      const created = await service.request('POST', new URL(url!).pathname, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body!,
      });
      expect(created.status, created.text).to.equal(200);
      const page = pageOf(await service.waitForTask(created.json.taskId as string));
      const preview = await service.request('GET', page.previewUrl!);
      expect(preview.status).to.equal(200);
      expect(preview.text).to.contain('Lisbon');
    });
  });

  let folder: ReturnType<typeof temporaryFolder>;
  const start = (env: Record<string, string> = {}) => startService({ dataDir: folder.path, env });
  const useFolder = () => {
    beforeEach(() => {
      folder = temporaryFolder();
      copyTemplate(folder.path);
    });
    afterEach(async function () {
      await endServices(this.currentTest);
      folder.remove();
    });
  };

  describe('a second time', () => {
    useFolder();
    it('keeps ids, key, tasks, previews and live pages, in a folder whose path is too long for a socket too', async () => {
      const dataDir = join(folder.path, 'long'.repeat(30));
      copyTemplate(dataDir);
      const first = await startService({ dataDir });
      const taskId = await first.createTask(citiesBody(['Lisbon'], { publish: true }));
      const view = await first.waitForTask(taskId);
      const { previewUrl, publishedUrl } = pageOf(view);
      const before = await Promise.all([first.request('GET', previewUrl!), first.request('GET', publishedUrl!)]);
      expect(await first.stop()).to.deep.equal({ code: 0, signal: null });
      const second = await startService({ dataDir, env: { PORT: String(first.port) } });
      expect(second.demo).to.deep.equal(first.demo);
      expect(second.launched.log()).to.contain(`with the apiKey of ${join(dataDir, 'demo.json')} for API_KEY:`);
      expect(second.launched.log()).not.to.contain(second.demo.apiKey);
      expect(await second.readTask(taskId)).to.deep.equal(view);
      const after = await Promise.all([second.request('GET', previewUrl!), second.request('GET', publishedUrl!)]);
      expect(after.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(after.map(({ text }) => text)).to.deep.equal(before.map(({ text }) => text));
      await second.stop(); // removes its socket, which is outside of the folder
    });
  });

  describe('in production', () => {
    useFolder();
    it('makes no demo, prints no key, and says which commands make an organization, a key and a site', async () => {
      for (const name of ['database', 'demo', 'demo.json'])
        rmSync(join(folder.path, name), { recursive: true, force: true });
      const launched = launchService({ dataDir: folder.path, env: { NODE_ENV: 'production' } });
      await until(
        'its end, or the line that says it is ready',
        () => launched.hasEnded() || /\nReady: /.test(launched.stderr),
        READY_WITHIN_MS,
      );
      const commands = launched.stderr.match(/(?<=^npm run -s cli -- )\S+ \S+/gm);
      expect(commands, launched.log()).to.deep.equal(['organization create', 'key create', 'site create']);
      expect(launched.log()).not.to.match(/ak_/);
      expect(['demo', 'demo.json'].filter((name) => existsSync(join(folder.path, name)))).to.deep.equal([]);
      const list = { command: 'organization list', arguments: {} };
      expect(await askService(operatorSocketPath(folder.path), list)).to.deep.equal({ organizations: [] });
    });
  });

  describe('and its end', () => {
    useFolder();

    for (const name of ['SIGTERM', 'SIGINT'] as const)
      it(`${name} ends it with exit code 0 and leaves no process, and its ports free (wall time)`, async () => {
        const service = await start();
        const pids = processesOf(folder.path).map(({ pid }) => pid);
        expect(pids).to.include.members([service.launched.pid, service.temporalPid]);
        const began = performance.now();
        expect(await service.stop(name)).to.deep.equal({ code: 0, signal: null });
        expect(performance.now() - began, 'with a connection kept open by a client').to.be.below(15_000);
        expect(processesOf(folder.path)).to.deep.equal([]);
        expect(service.launched.stderr.trimEnd().split('\n').at(-1)).to.equal('Stopping');
        const ports = { PORT: String(service.port), TEMPORAL_UI_PORT: new URL(service.demo.temporalUiUrl!).port };
        expect((await start(ports)).demo).to.deep.equal(service.demo);
      });

    it('SIGTERM to `npm start` ends npm, the service and all that it started', async () => {
      const npm = launchService({ dataDir: folder.path, command: ['npm', 'start'] });
      const service = await untilReady(npm);
      expect((await service.request('GET', '/healthz')).status).to.equal(200);
      await npm.stop();
      await noneLeft(folder.path);
    });
  });
});
