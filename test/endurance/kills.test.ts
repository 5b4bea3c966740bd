// Takes long: a start after each of five kills.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentTasks } from '../../client/src/index.ts';
import { type CallbackDelivery, INTERRUPTED_ATTEMPT } from '../../src/contract/callback.ts';
import { until } from '../helpers/until.ts';
import { useInterrupted, type Way, ways } from '../helpers/kills.ts';
import { citiesBody } from '../helpers/team/site.ts';

const moments: [way: Way, behind: string, city: string][] = [
  ['stop', 'publish', 'Madrid'],
  ['kill', 'generatePage', 'Paris'],
  ['kill', 'deployProduction', 'Lille'],
];

describe('a running task', function () {
  this.timeout(300_000);
  const { interrupt, start, create, phaseDone, expectDoneOnce, service, receiver, dataDir } =
    useInterrupted();

  for (const [way, behind, city] of moments)
    it(`continues after ${ways[way]} behind ${behind}: one commit, one publish, its callback`, () =>
      interrupt(way, behind, city));

  it('delivers its callback again byte for byte if everything was killed during the delivery', async () => {
    const taskId = await create('Turin', '/held');
    const attempts = async () => {
      const { json } = await service().request('GET', `/api/v1/agent/tasks/${taskId}/callback`);
      const { deliveries } = json as { deliveries: CallbackDelivery[] };
      return deliveries[0]!.attempts.map(({ status, error }) => ({
        ...(status && { status }),
        ...(error && { error }),
      }));
    };
    await receiver().deliveries('/held', 1);
    await until('the attempt under way', async () => (await attempts()).length === 1);
    expect(await attempts()).to.deep.equal([{}]);
    await service().killAll();
    await start();
    expect((await service().readTask(taskId)).status).to.equal('completed');
    await expectDoneOnce(taskId, 'Turin');
    expect(await attempts()).to.deep.equal([{ error: INTERRUPTED_ATTEMPT }, { status: 204 }]);
    const [first, second, ...more] = receiver().received('/held');
    expect(second!.body).to.equal(first!.body);
    expect([first!.headers['webhook-id'], second!.headers['webhook-id']]).to.deep.equal([
      taskId,
      taskId,
    ]);
    expect(more).to.deep.equal([]);
  });

  it('is created once by a client that keeps asking through kill -9 and the next start', async () => {
    const { port, demo } = service();
    const client = new AgentTasks({
      apiKey: demo.apiKey,
      baseUrl: `http://127.0.0.1:${port}`,
      restartMs: 240_000, // what a start takes at most on a busy machine
    });
    const cities = ['Ghent', 'Bruges', 'Namur', 'Liege', 'Mons', 'Arlon'];
    const createTask = (city: string) =>
      client.tasks.create({ siteId: demo.siteId, ...citiesBody([city]) } as Parameters<
        typeof client.tasks.create
      >[0]);
    const listIds = async () => {
      const ids: string[] = [];
      for await (const { taskId } of client.tasks.list()) ids.push(taskId);
      return ids;
    };
    const earlier = await listIds();
    const [first, ...rest] = cities as [string, ...string[]];
    const created = [await createTask(first)];
    const asked = rest.map(createTask);
    await Promise.race(asked);
    await service().kill();
    await start({ PORT: String(port) });
    created.push(...(await Promise.all(asked)));
    const ids = created.map(({ taskId }) => taskId);
    expect(new Set(ids)).to.have.property('size', cities.length);
    for (const taskId of ids)
      expect(await client.tasks.waitFor(taskId, { timeoutMs: 240_000 })).to.include({
        status: 'completed',
      });
    const listed = await until('all tasks to be listed', async () => {
      const found = await listIds();
      return found.length >= earlier.length + ids.length && found;
    });
    expect(listed).to.have.members([...earlier, ...ids]);
  });

  it('continues if the killed push left its lock in the demo repository', async () => {
    const taskId = await create('Genoa');
    await phaseDone(taskId, 'commitChanges');
    await service().killAll();
    writeFileSync(join(dataDir(), 'demo', 'site.git', 'refs', 'heads', 'main.lock'), '');
    await start();
    await expectDoneOnce(taskId, 'Genoa');
  });
});
