// Takes long: a start after each of ten kills, several of them in one batch. That each activity of
// a batch may be repeated is tested in test/activities.
import { expect } from 'chai';
import { sql } from 'kysely';
import { join } from 'node:path';
import { headlineOf } from '../helpers/markup.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { useInterrupted, type Way, ways } from '../helpers/kills.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { git } from '../helpers/team/git.ts';
import { until } from '../helpers/until.ts';

/** What happens to one batch, one after the other. */
const moments: [way: Way, behind: string][] = [
  ['kill', 'generateRow'],
  ['killAll', 'commitRows'],
  ['stop', 'publish'],
];
const ROWS = 10;
const path = '/api/v1/agent/batches';

describe('a running batch', function () {
  this.timeout(300_000);
  const { start, phaseDone, service, receiver, dataDir } = useInterrupted();

  const rowsOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}${n + 1}`).map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}\nHeadline: Web design in ${city} that works`,
    }));
  async function create(rows: object[], callback: string): Promise<string> {
    const { siteId } = service().demo;
    const body = { siteId, templatePageSlug: '/locations/austin', rows, publish: true };
    const created = await service().request('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, callbackUrl: receiver().url(callback) }),
    });
    return (created.json as { batchId: string }).batchId;
  }
  const read = async (batchId: string) =>
    (await service().request('GET', `${path}/${batchId}`)).json as {
      status: string;
      rows: Record<string, number>;
    };
  /** What a batch came to. */
  async function ended(batchId: string) {
    const isOver = async () => (await read(batchId)).status !== 'running';
    await until('the end of the batch', isOver, 150_000);
    return read(batchId);
  }
  const idsAt = (callback: string) =>
    receiver()
      .received(callback)
      .map(({ headers }) => headers['webhook-id']);

  /** Looks that each page was made once, by one publish. */
  async function expectOnce(batchId: string, name: string, count: number) {
    const site = join(dataDir(), 'demo', 'site.git');
    const log = (...args: string[]) =>
      git(site, 'log', 'main', ...args)
        .split('\n')
        .filter(Boolean);
    const added = log('--diff-filter=A', '--name-only', '--format=', '--', 'locations');
    const own = added.filter((file) => file.includes(name.toLowerCase()));
    expect(own).to.have.length(count);
    expect(new Set(own).size).to.equal(count);
    const publishes = log('--merges', '--format=%H', `--grep=Publish ${batchId}`);
    expect(publishes.length).to.be.at.most(1);
    const last = `${name.toLowerCase()}${count}`;
    const live = `http://northwind.sites.localhost:${service().port}/locations/${last}`;
    const { text } = await service().request('GET', live);
    expect(headlineOf(text)).to.equal(`Web design in ${name}${count} that works`);
  }

  const passages = moments.map(([way, behind]) => `${ways[way]} behind ${behind}`).join(', ');
  it(`continues after ${passages}, and after ${ways.killAll} while its callback is sent: each page once, one publish, the same callback`, async () => {
    const name = 'Porto';
    const batchId = await create(rowsOf(name, ROWS), `/held${name}`);
    for (const [way, behind] of moments) {
      await phaseDone(batchId, behind);
      await service()[way]();
      await start();
    }
    await receiver().deliveries(`/held${name}`, 1);
    await service().killAll();
    await start();
    const [first, second] = await receiver().deliveries(`/held${name}`, 2);
    expect(second!.body).to.equal(first!.body);
    expect(JSON.parse(first!.body)).to.include({ batchId, status: 'completed' });
    const { status, rows } = await ended(batchId);
    expect(status).to.equal('completed');
    expect(rows).to.include({ published: ROWS, failed: 0 });
    const { workflow, connection } = await connectTemporal(service());
    await workflow.getHandle(batchId).result();
    await connection.close();
    expect(idsAt(`/held${name}`)).to.have.length(2);
    expect(new Set(idsAt(`/held${name}`)).size).to.equal(1);
    await expectOnce(batchId, name, ROWS);
  });

  it('fails a row once if its activity fails, after a kill that follows the heartbeat', async () => {
    const name = 'Namur';
    const batchId = await create(rowsOf(name, 4), `/${name}`);
    await phaseDone(batchId, 'planBatch');
    await service().killAll();
    await spoilRow(dataDir(), batchId, 2);
    await start();
    await phaseDone(batchId, 'markRowsFailed');
    await service().kill();
    await start();
    const { status, rows } = await ended(batchId);
    expect(status).to.equal('completed');
    expect(rows).to.include({ published: 3, failed: 1, waiting: 0 });
    const failed = await service().request('GET', `${path}/${batchId}/rows?state=failed`);
    const [row] = (failed.json as { rows: { number: number; error: string }[] }).rows;
    expect(row!.number).to.equal(2);
    expect(row!.error).to.include('Unexpected error in generateRow');
    const [delivery] = await receiver().deliveries(`/${name}`, 1);
    expect(JSON.parse(delivery!.body)).to.deep.include({ batchId, rows });
    expect(new Set(idsAt(`/${name}`)).size).to.equal(1);
  });
});

/** Makes the texts of a row unreadable while no service runs, so that each attempt fails. */
async function spoilRow(dataDir: string, batchId: string, number: number) {
  const database = await openDatabase({ dataDir });
  await sql`update batch_rows set input = 'no JSON'
    where batch_id = ${batchId} and number = ${number}`.execute(database.db);
  await database.close();
}
