// Takes long: a start after each of ten kills, several of them in one batch. That each activity of
// a batch may be repeated is tested in test/activities.
import { expect } from 'chai';
import { sql } from 'kysely';
import { join } from 'node:path';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { useInterrupted, type Way, ways } from '../helpers/kills.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { git } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

/** What happens to one batch, one after the other. */
const moments: [way: Way, behind: string][] = [
  ['kill', 'writeRow'],
  ['killAll', 'commitRows'],
  ['stop', 'publish'],
];
const ROWS = 10;
const path = '/api/v1/agent/batches';

describe('a batch in flight', function () {
  this.timeout(300_000);
  const { start, countPhases, phaseDone, service, receiver, dataDir } = useInterrupted();

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
  it(`goes on after ${passages}, and ${ways.killAll} while its callback is sent: each page once, one publish, the same callback`, async () => {
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

  describe('whose pages are edited by hand', () => {
    const editing = new BatchEditing(service);
    after(() => removeTeamSites());
    const slugOf = (city: string) => `/locations/${city.toLowerCase()}`;
    const { reaches, command } = editing;
    async function published(cities: string[]) {
      const site = await TeamSite.register(service(), cities[0]!.toLowerCase());
      const batchId = await editing.create(site.siteId, cities, { publish: true });
      expect((await reaches(batchId, 'completed')).rows).to.include({ published: cities.length });
      return { site, batchId };
    }
    /** Looks that the site has each page once, with all edits by hand, once each. */
    async function expectLive(site: TeamSite, headlines: Record<string, string>, edits: number) {
      site.service = service();
      for (const [city, headline] of Object.entries(headlines)) {
        const live = await service().request('GET', site.live(slugOf(city)));
        expect(headlineOf(live.text)).to.equal(headline);
        const file = `locations/${city.toLowerCase()}.html`;
        const added = git(site.remote, 'log', 'main', '--diff-filter=A', '--format=%H', '--', file);
        expect(added.split('\n')).to.have.length(1);
      }
      const commits = git(site.remote, 'log', 'main', '--format=%H', '--grep=^Edit /locations');
      expect(commits.split('\n')).to.have.length(edits);
    }

    it("loses no save by a kill at the remote's pre-receive or post-receive, and doubles none", async () => {
      const { site, batchId } = await published(['Cuba', 'Daun', 'Enns']);
      await editing.edit(batchId, slugOf('Cuba'), 'Saved');
      for (const [way, when, city] of [
        ['kill', 'pre-receive', 'Daun'],
        ['killAll', 'post-receive', 'Enns'],
      ] as const) {
        const opened = await editing.open(batchId, slugOf(city));
        const gate = site.gate('refs/agent-tasks/', when);
        const answer = opened.save('Cut').catch(() => null);
        await gate.arrived();
        await service()[way]();
        gate.open();
        expect(await answer).to.equal(null);
        await start();
        // the editor still has what was typed, and saves it again
        const again = await editing.open(batchId, slugOf(city));
        const reply = await again.save('Cut');
        expect(reply.status, reply.text).to.equal(200);
      }
      expect((await reaches(batchId, 'completed')).rows).to.include({ committed: 3 });
      await command(batchId, 'publish');
      expect((await reaches(batchId, 'completed')).rows).to.include({ published: 3 });
      await expectLive(site, { Cuba: 'Saved', Daun: 'Cut', Enns: 'Cut' }, 3);
    });

    it('publishes edits once after kills behind planRows and publish, beside a page that others changed', async () => {
      const names = ['Oslo', 'Pau', 'Riga'] as const;
      const [first, second, theirs] = names;
      const { site, batchId } = await published([...names]);
      for (const city of names) await editing.edit(batchId, slugOf(city), `${city} by hand`);
      site.push({ [`locations/${theirs.toLowerCase()}.html`]: '<h1>Theirs</h1>' });
      const before = countPhases(batchId, 'planRows');
      await command(batchId, 'publish');
      await phaseDone(batchId, 'planRows', before);
      await service().kill();
      await start();
      await phaseDone(batchId, 'publish');
      await service().killAll();
      await start();
      expect((await reaches(batchId, 'completed')).rows).to.include({ published: 2, failed: 1 });
      const live = { [first]: `${first} by hand`, [second]: `${second} by hand` };
      await expectLive(site, { ...live, [theirs]: 'Theirs' }, 3);
      await command(batchId, 'retry');
      expect((await reaches(batchId, 'completed')).rows).to.include({ published: 3 });
      await expectLive(site, { ...live, [theirs]: `${theirs} by hand` }, 4);
    });
  });

  it('fails a row once whose step fails, after a kill behind the note of it', async () => {
    const name = 'Namur';
    const batchId = await create(rowsOf(name, 4), `/${name}`);
    await phaseDone(batchId, 'planRows');
    await service().killAll();
    await spoilRow(dataDir(), batchId, 2);
    await start();
    await phaseDone(batchId, 'failRows');
    await service().kill();
    await start();
    const { status, rows } = await ended(batchId);
    expect(status).to.equal('completed');
    expect(rows).to.include({ published: 3, failed: 1, waiting: 0 });
    const failed = await service().request('GET', `${path}/${batchId}/rows?state=failed`);
    const [row] = (failed.json as { rows: { number: number; error: string }[] }).rows;
    expect(row!.number).to.equal(2);
    expect(row!.error).to.include('characters long');
    const [delivery] = await receiver().deliveries(`/${name}`, 1);
    expect(JSON.parse(delivery!.body)).to.deep.include({ batchId, rows });
    expect(new Set(idsAt(`/${name}`)).size).to.equal(1);
  });
});

/** Makes the context of a row too long, while no service runs. */
async function spoilRow(dataDir: string, batchId: string, number: number) {
  const database = await openDatabase({ dataDir });
  await sql`update batch_rows set input = json_build_object('context', repeat('x', 100001))::text
    where batch_id = ${batchId} and number = ${number}`.execute(database.db);
  await database.close();
}
