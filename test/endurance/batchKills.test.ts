// Takes long: a start after each of eight kills.
import { expect } from 'chai';
import { join } from 'node:path';
import { headlineOf } from '../helpers/markup.ts';
import { useInterrupted, type Way, ways } from '../helpers/kills.ts';
import { git } from '../helpers/team/git.ts';
import { until } from '../helpers/until.ts';

const moments: [way: Way, behind: string, name: string][] = [
  ['kill', 'planRows', 'Lisbon'],
  ['kill', 'nextRows', 'Braga'],
  ['kill', 'writeRow', 'Porto'],
  ['killAll', 'commitRows', 'Madrid'],
  ['killAll', 'showRows', 'Paris'],
  ['stop', 'publish', 'Lyon'],
  ['killAll', 'putRowsLive', 'Nantes'],
  ['kill', 'endBatch', 'Rennes'],
];
const ROWS = 60;
const path = '/api/v1/agent/batches';

describe('a batch in flight', function () {
  this.timeout(300_000);
  const { start, phaseDone, service, receiver, dataDir } = useInterrupted();

  for (const [way, behind, name] of moments)
    it(`goes on after ${ways[way]} behind ${behind}: each page once, one publish, its callback`, async () => {
      const cities = Array.from({ length: ROWS }, (_, n) => `${name}${n + 1}`);
      const rows = cities.map((city) => ({
        targetPageSlug: `/locations/${city.toLowerCase()}`,
        context: `City: ${city}\nHeadline: Web design in ${city} that works`,
      }));
      const { siteId } = service().demo;
      const body = { siteId, templatePageSlug: '/locations/austin', rows, publish: true };
      const created = await service().request('POST', path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, callbackUrl: receiver().url(`/${name}`) }),
      });
      const { batchId } = created.json as { batchId: string };
      await phaseDone(batchId, behind);
      await service()[way]();
      await start();
      const read = async () =>
        (await service().request('GET', `${path}/${batchId}`)).json as {
          status: string;
          rows: object;
        };
      const isOver = async () => (await read()).status !== 'running';
      await until('the end of the batch', isOver, 150_000);
      const { status, rows: counts } = await read();
      expect(status).to.equal('completed');
      expect(counts).to.include({ published: ROWS, failed: 0 });
      await receiver().deliveries(`/${name}`, 1);
      const site = join(dataDir(), 'demo', 'site.git');
      const [added, publishes] = [
        git(site, 'log', 'main', '--diff-filter=A', '--name-only', '--format=', '--', 'locations'),
        git(site, 'log', 'main', '--merges', '--format=%H', `--grep=Publish ${batchId}`),
      ];
      const own = added.split('\n').filter((file) => file.includes(name.toLowerCase()));
      expect(own).to.have.length(ROWS);
      expect(new Set(own).size).to.equal(ROWS);
      expect(publishes.split('\n').filter(Boolean).length).to.be.at.most(1);
      const live = `http://northwind.sites.localhost:${service().port}/locations/${name.toLowerCase()}60`;
      const { text } = await service().request('GET', live);
      expect(headlineOf(text)).to.equal(`Web design in ${name}60 that works`);
      const ids = receiver()
        .received(`/${name}`)
        .map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).to.equal(1);
    });
});
