// Takes long: each test starts services of its own, most of them two.
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askService } from '../../src/cli/askService.ts';
import { operatorSocketPath } from '../../src/cli/socketPath.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type Delivery, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf, operateWith } from '../helpers/operator.ts';
import { processesOf } from '../helpers/processes.ts';
import { filesWith, startPrivateRepository } from '../helpers/team/privateRepository.ts';
import {
  endServices,
  launchService,
  READY_WITHIN_MS,
  type Service,
  startService,
  untilReady,
} from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const noneLeft = (dataDir: string) =>
  until('the end of every process of the service', () => processesOf(dataDir).length === 0);
describe('the start of the service', function () {
  this.timeout(300_000);
  let folder: ReturnType<typeof temporaryFolder>;
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
    it('from a restored copy keeps IDs, key, tasks, previews and live pages, also at a path too long for a socket', async () => {
      const dataDir = join(folder.path, 'long'.repeat(30));
      copyTemplate(dataDir);
      const first = await startService({ dataDir });
      const taskId = await first.createTask(citiesBody(['Lisbon'], { publish: true }));
      const view = await first.waitForTask(taskId);
      const { previewUrl, publishedUrl } = outputOf(view).pagesCreated[0]!;
      const before = await Promise.all([
        first.request('GET', previewUrl!),
        first.request('GET', publishedUrl!),
      ]);
      expect(await first.stop()).to.deep.equal({ code: 0, signal: null });
      const backup = join(folder.path, 'backup');
      cpSync(dataDir, backup, { recursive: true });
      rmSync(dataDir, { recursive: true });
      renameSync(backup, dataDir);
      const second = await startService({ dataDir, env: { PORT: String(first.port) } });
      expect(second.demo).to.deep.equal(first.demo);
      expect(second.launched.log()).to.contain(
        `with the apiKey of ${join(dataDir, 'demo.json')} for API_KEY:`,
      );
      expect(second.launched.log()).not.to.contain(second.demo.apiKey);
      expect(await second.readTask(taskId)).to.deep.equal(view);
      const after = await Promise.all([
        second.request('GET', previewUrl!),
        second.request('GET', publishedUrl!),
      ]);
      expect(after.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(after.map(({ text }) => text)).to.deep.equal(before.map(({ text }) => text));
      await second.stop(); // removes its socket, which is outside of the folder
    });
  });

  describe('in production', () => {
    useFolder();
    it('creates no demo, prints no key, and names the commands for an organization, a key and a site', async () => {
      for (const name of ['database', 'demo', 'demo.json'])
        rmSync(join(folder.path, name), { recursive: true, force: true });
      const launched = launchService({ dataDir: folder.path, env: { NODE_ENV: 'production' } });
      await until(
        'its end, or the line that says it is ready',
        () => launched.hasEnded() || /\nReady: /.test(launched.stderr),
        READY_WITHIN_MS,
      );
      const commands = launched.stderr.match(/(?<=^npm run -s cli -- )\S+ \S+/gm);
      expect(commands, launched.log()).to.deep.equal([
        'organization create',
        'key create',
        'site create',
      ]);
      expect(launched.log()).not.to.match(/ak_/);
      expect(
        ['demo', 'demo.json'].filter((name) => existsSync(join(folder.path, name))),
      ).to.deep.equal([]);
      const list = { command: 'organization list', arguments: {} };
      expect(await askService(operatorSocketPath(folder.path), list)).to.deep.equal({
        organizations: [],
      });
    });
  });

  describe('and its end', () => {
    let service: Service;
    const start = (env: Record<string, string> = {}) => startService({ dataDir: folder.path, env });
    before(async () => {
      folder = temporaryFolder();
      copyTemplate(folder.path);
      service = await start();
    });
    after(async function () {
      await endServices(this.currentTest);
      folder.remove();
    });

    for (const name of ['SIGTERM', 'SIGINT'] as const)
      it(`by ${name} has exit code 0, leaves no process, and frees its ports (wall time)`, async () => {
        const pids = processesOf(folder.path).map(({ pid }) => pid);
        expect(pids).to.include.members([service.launched.pid, service.temporalPid]);
        const began = performance.now();
        expect(await service.stop(name)).to.deep.equal({ code: 0, signal: null });
        expect(performance.now() - began, 'with a connection kept open by a client').to.be.below(
          15_000,
        );
        expect(processesOf(folder.path)).to.deep.equal([]);
        expect(service.launched.stderr.trimEnd().split('\n').at(-1)).to.equal('Stopping');
        const { demo } = service;
        service = await start({ PORT: String(service.port) });
        expect(service.demo).to.deep.equal(demo);
      });
  });

  describe('and its end', () => {
    useFolder();

    it('by SIGTERM to `npm start` ends npm, the service and everything that it started', async () => {
      const npm = launchService({ dataDir: folder.path, command: ['npm', 'start'] });
      const service = await untilReady(npm);
      expect((await service.request('GET', '/healthz')).status).to.equal(200);
      await npm.stop();
      await noneLeft(folder.path);
    });
  });
});

describe('operator commands', function () {
  this.timeout(300_000);
  after(async function () {
    await endServices(this.currentTest);
  });

  it('seal all credentials with a new key, so that private repositories and signed callbacks work without the old key', async () => {
    const [old, next] = ['old', 'next'].map(
      (id) => `${id}:${randomBytes(32).toString('base64')}`,
    ) as [string, string];
    const token = 'token-of-the-team';
    const repository = await startPrivateRepository(token);
    const receiver = await startHttpReceiver(() => 204);
    try {
      const first = await startService({ env: { ...repository.env, SECRETS_KEYS: old } });
      const { dataDir, demo } = first;
      const owner = ['--organization', demo.organizationId];
      const { callbackSecret } = await answerOf(
        dataDir,
        'organization',
        'callback-secret',
        ...owner,
      );
      const { apiKey } = await answerOf(
        dataDir,
        'key',
        'create',
        ...owner,
        '--role',
        'admin',
        '--name',
        'rotation',
      );
      const credential = { type: 'token', token };
      const added = await first.request('POST', '/api/v1/sites', {
        headers: { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Rotated', repository: { url: repository.url, credential } }),
      });
      expect(added.status, added.text).to.equal(201);
      const { siteId } = added.json as { siteId: string };
      const work = async (service: Service, headline: string) => {
        const prompt = `Change the headline of /pricing to "${headline}"`;
        const path = `/${headline}`;
        const id = await service.createTask({
          siteId,
          prompt,
          publish: true,
          callbackUrl: receiver.url(path),
        });
        expect((await service.waitForTask(id)).status).to.equal('completed');
        const live = await service.request(
          'GET',
          `http://rotated.sites.localhost:${service.port}/pricing`,
        );
        expect(live.text).to.contain(headline);
        expect(repository.place.show('pricing.html')).to.contain(headline);
        const [{ body, headers }] = (await receiver.deliveries(path, 1)) as [Delivery];
        new Webhook(String(callbackSecret)).verify(body, headers as Record<string, string>);
      };
      await work(first, 'Before');
      await first.stop();
      expect(await keyIdsIn(dataDir)).to.deep.equal(['old']);

      const both = { SECRETS_KEYS: `${next},${old}` };
      expect(await printedWith(both, dataDir, 'secrets', 'rotate')).to.deep.equal({ rotated: 1 });
      expect(await printedWith({ SECRETS_KEYS: next }, dataDir, 'secrets', 'rotate')).to.deep.equal(
        { rotated: 0 },
      );
      expect(await keyIdsIn(dataDir)).to.deep.equal(['next']);
      await work(
        await startService({ dataDir, env: { ...repository.env, SECRETS_KEYS: next } }),
        'After',
      );
      expect(filesWith(dataDir, token, old, next)).to.deep.equal([]);
    } finally {
      await receiver.close();
      await repository.close();
    }
  });
});

/** The ids of the keys that seal credentials, of a service that is stopped. */
async function keyIdsIn(dataDir: string): Promise<string[]> {
  const database = await openDatabase({ dataDir });
  try {
    return (await database.db.selectFrom('site_credentials').select('key_id').execute()).map(
      ({ key_id }) => key_id,
    );
  } finally {
    await database.close();
  }
}

async function printedWith(
  settings: Record<string, string>,
  dataDir: string,
  ...words: string[]
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await operateWith(settings, dataDir, ...words);
  expect(code, stderr).to.equal(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}
