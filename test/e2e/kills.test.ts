import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallbackDelivery } from '../../src/contract/callback.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { countsOf } from '../helpers/demoHistory.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody } from '../helpers/teamSite.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

type Way = 'stop' | 'kill' | 'killAll';
const ways: Record<Way, string> = {
  stop: 'SIGTERM',
  kill: 'kill -9 of the service alone',
  killAll: 'kill -9 of the service, the Temporal server and every git',
};
const moments: [way: Way, behind: string, city: string][] = [
  ['stop', 'readSite', 'Lisbon'],
  ['stop', 'commitChanges', 'Porto'],
  ['stop', 'publish', 'Madrid'],
  ['kill', 'generatePage', 'Paris'],
  ['kill', 'commitChanges', 'Lyon'],
  ['kill', 'publish', 'Nantes'],
  ['killAll', 'readSite', 'Oslo'],
  ['killAll', 'commitChanges', 'Bergen'],
  ['killAll', 'deployPreview', 'Malmo'],
  ['killAll', 'publish', 'Aarhus'],
  ['killAll', 'deployProduction', 'Odense'],
];

describe('a task in flight', function () {
  this.timeout(240_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: HttpReceiver;
  let service: Service;
  const start = async () =>
    (service = await startService({ dataDir: folder.path, env: { CALLBACK_ALLOW_PRIVATE: 'true' } }));

  before(async () => {
    folder = temporaryFolder();
    receiver = await startHttpReceiver((path, n) => (path === '/held' && n === 1 ? new Promise(() => {}) : 204));
    await start();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(async () => {
    await receiver?.close();
    await endServices();
    folder.remove();
  });

  const create = (city: string, path = `/${city}`) =>
    service.createTask(citiesBody([city, `${city}-East`], { publish: true, callbackUrl: receiver.url(path) }));
  const phaseDone = (taskId: string, activity: string) =>
    until(`the end of ${activity}`, () =>
      service.launched.lines().some((line) => line.taskId === taskId && line.activity === activity),
    );

  /** Waits until the task is over, its callback too, and looks at what it did to the site. */
  async function expectDoneOnce(taskId: string, city: string) {
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    const client = await connectTemporal(service);
    await client.workflow.getHandle(taskId).result();
    await client.connection.close();
    expect(await countsOf(folder.path, [taskId])).to.deep.equal({ commits: 1, publishes: 1 });
    const live = `http://northwind.sites.localhost:${service.port}/locations/${city.toLowerCase()}`;
    expect((await service.request('GET', live)).text).to.contain(`Web design in ${city} that works`);
  }

  for (const [way, behind, city] of moments)
    it(`goes on after ${ways[way]} behind ${behind}: one commit, one publish, its callback`, async () => {
      const taskId = await create(city);
      await phaseDone(taskId, behind);
      await service[way]();
      const cutInDelivery = way !== 'stop' && receiver.received(`/${city}`).length > 0;
      await start();
      await expectDoneOnce(taskId, city);
      const ids = receiver.received(`/${city}`).map(({ headers }) => headers['webhook-id']);
      expect([...new Set(ids)]).to.deep.equal([taskId]);
      if (!cutInDelivery) expect(ids).to.have.length(1);
    });

  it('delivers its callback again, the same to the byte, where everything was killed in the middle of the delivery', async () => {
    const taskId = await create('Turin', '/held');
    const attempts = async () => {
      const { json } = await service.request('GET', `/api/v1/agent/tasks/${taskId}/callback`);
      const { deliveries } = json as { deliveries: CallbackDelivery[] };
      return deliveries[0]!.attempts.map(({ at: _, ...attempt }) => attempt);
    };
    await receiver.deliveries('/held', 1);
    await until('the attempt under way', async () => (await attempts()).length === 1);
    expect(await attempts()).to.deep.equal([{}]);
    await service.killAll();
    await start();
    expect((await service.readTask(taskId)).status).to.equal('completed');
    await expectDoneOnce(taskId, 'Turin');
    expect(await attempts()).to.deep.equal([{ error: 'The attempt was interrupted' }, { status: 204 }]);
    const [first, second, ...more] = receiver.received('/held');
    expect(second!.body).to.equal(first!.body);
    expect([first!.headers['webhook-id'], second!.headers['webhook-id']]).to.deep.equal([taskId, taskId]);
    expect(more).to.deep.equal([]);
  });

  it("goes on where the killed push left its lock in the demo's own repository", async () => {
    const taskId = await create('Genoa');
    await phaseDone(taskId, 'commitChanges');
    await service.killAll();
    writeFileSync(join(folder.path, 'demo', 'site.git', 'refs', 'heads', 'main.lock'), '');
    await start();
    await expectDoneOnce(taskId, 'Genoa');
  });
});
