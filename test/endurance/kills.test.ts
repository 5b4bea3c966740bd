// Takes long: a start after each of five kills.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallbackDelivery } from '../../src/contract/callback.ts';
import { until } from '../helpers/until.ts';
import { useInterrupted, type Way, ways } from '../helpers/kills.ts';

const moments: [way: Way, behind: string, city: string][] = [
  ['stop', 'publish', 'Madrid'],
  ['kill', 'generatePage', 'Paris'],
  ['kill', 'deployProduction', 'Lille'],
];

describe('a task in flight', function () {
  this.timeout(300_000);
  const { interrupt, start, create, phaseDone, expectDoneOnce, service, receiver, dataDir } =
    useInterrupted();

  for (const [way, behind, city] of moments)
    it(`goes on after ${ways[way]} behind ${behind}: one commit, one publish, its callback`, () =>
      interrupt(way, behind, city));

  it('delivers its callback again, the same to the byte, where everything was killed in the middle of the delivery', async () => {
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
    expect(await attempts()).to.deep.equal([
      { error: 'The attempt was interrupted' },
      { status: 204 },
    ]);
    const [first, second, ...more] = receiver().received('/held');
    expect(second!.body).to.equal(first!.body);
    expect([first!.headers['webhook-id'], second!.headers['webhook-id']]).to.deep.equal([
      taskId,
      taskId,
    ]);
    expect(more).to.deep.equal([]);
  });

  it("goes on where the killed push left its lock in the demo's own repository", async () => {
    const taskId = await create('Genoa');
    await phaseDone(taskId, 'commitChanges');
    await service().killAll();
    writeFileSync(join(dataDir(), 'demo', 'site.git', 'refs', 'heads', 'main.lock'), '');
    await start();
    await expectDoneOnce(taskId, 'Genoa');
  });
});
