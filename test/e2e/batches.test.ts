import { expect } from 'chai';
import type {
  BatchOutcome,
  RowCounts,
  RowState,
  RowView,
} from '../../src/contract/batches/batch.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { headlineOf, locationsOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { templateNotFoundError } from '../../src/sites/pages/templates.ts';
import { pageExistsError } from '../../src/sites/pages/listing/pageExists.ts';

interface View {
  batchId: string;
  status: string;
  errorMessage?: string;
  rows: RowCounts;
}

const path = '/api/v1/agent/batches';
const row = (name: string, more: object = {}) => ({
  targetPageSlug: `/locations/${name.toLowerCase()}`,
  context: `City: ${name}\nHeadline: Web design in ${name} that works`,
  ...more,
});
const names = (start: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${start}${String.fromCodePoint(97 + (n % 26))}${n}`);

describe('batches on a running service', function () {
  this.timeout(360_000);
  let service: Service;
  let receiver: HttpReceiver;
  before(async () => {
    receiver = await startHttpReceiver(() => 204);
    service = await sharedService();
  });
  after(async function () {
    await receiver?.close();
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const send = async (method: string, url: string, body?: object, headers = {}) =>
    service.request(method, url, {
      ...(body && {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    });
  async function create(site: TeamSite, body: object): Promise<string> {
    const reply = await send('POST', path, {
      siteId: site.siteId,
      templatePageSlug: '/locations/austin',
      ...body,
    });
    expect(reply.status, reply.text).to.equal(200);
    return (reply.json as { batchId: string }).batchId;
  }
  const read = async (batchId: string) => (await send('GET', `${path}/${batchId}`)).json as View;
  const reaches = (batchId: string, ...statuses: string[]) =>
    until(
      `${batchId} to be ${statuses.join()}`,
      async () => {
        const view = await read(batchId);
        return statuses.includes(view.status) && view;
      },
      150_000,
    );
  const rowsOf = async (batchId: string, state?: RowState): Promise<RowView[]> => {
    const query = state === undefined ? '' : `?state=${state}`;
    return ((await send('GET', `${path}/${batchId}/rows${query}`)).json as { rows: RowView[] })
      .rows;
  };
  const command = async (batchId: string, name: string, body?: object) => {
    const reply = await send('POST', `${path}/${batchId}/${name}`, body);
    expect(reply.status, reply.text).to.be.within(200, 204);
  };
  const textOf = async (url: string) => (await service.request('GET', url)).text;

  it('publish all rows in one push, and report the failed rows by their numbers', async () => {
    const site = await TeamSite.register(service, 'batch-all');
    const cities = names('Town', 20);
    const rows = [
      ...cities.map((name) => row(name)),
      row('Lost', { templatePageSlug: '/locations/nowhere' }),
      row('About', { targetPageSlug: '/about' }),
      row(cities[0]!),
    ];
    const callbackUrl = receiver.url('/all');
    const batchId = await create(site, { rows, publish: true, callbackUrl });
    const view = await reaches(batchId, 'completed', 'failed');
    expect(view).to.include({ status: 'completed' });
    expect(view.rows).to.include({ published: 20, failed: 3, waiting: 0 });
    const failed = await rowsOf(batchId, 'failed');
    expect(failed.map(({ number }) => number)).to.deep.equal([21, 22, 23]);
    expect(failed[0]!.error).to.include(templateNotFoundError('/locations/nowhere').message);
    expect(failed[1]!.error).to.include(pageExistsError('/about').message);
    expect(failed[2]!.error).to.include('1');
    const published = await rowsOf(batchId, 'published');
    for (const one of [published[0]!, published.at(-1)!]) {
      const headline = `Web design in ${cities[one.number - 1]} that works`;
      expect(headlineOf(await textOf(one.publishedUrl!))).to.equal(headline);
      expect(headlineOf(await textOf(one.previewUrl!))).to.equal(headline);
      expect(one.ownShare).to.be.within(0, 1);
    }
    const sitemap = locationsOf(await textOf(site.live('/sitemap.xml')));
    expect(sitemap.filter((url) => /town/.test(url))).to.have.length(20);
    const [delivery, ...more] = await receiver.deliveries('/all', 1);
    expect(more).to.deep.equal([]);
    const body = JSON.parse(delivery!.body) as BatchOutcome;
    expect(body).to.deep.include({ batchId, status: 'completed', rows: view.rows });
    expect(new URL(body.url).pathname).to.equal(`${path}/${batchId}`);
    const files = git(site.remote, 'ls-tree', '-r', '--name-only', 'main', 'locations/');
    expect(files.split('\n').filter((file) => /town/.test(file))).to.have.length(20);
  });

  it('publish the canary first, and the other rows once they are approved and published', async () => {
    const site = await TeamSite.register(service, 'batch-canary');
    const [first, ...others] = names('Ville', 8).map((name) => row(name));
    const rows = [
      row('a b'),
      row('Lost', { templatePageSlug: '/locations/nowhere' }),
      { ...first!, templatePageSlug: '/locations/denver' },
      ...others,
    ];
    const callbackUrl = receiver.url('/canary');
    const batchId = await create(site, { rows, publish: true, canary: 3, callbackUrl });
    const counts = { published: 3, waiting: 5, failed: 2 };
    expect((await reaches(batchId, 'waiting')).rows).to.include(counts);
    const [denver, austin] = await rowsOf(batchId, 'published');
    expect(await textOf(denver!.publishedUrl!)).to.include('+1 303 555 0100');
    expect(await textOf(austin!.publishedUrl!)).to.include('+1 512 555 0142');
    expect(receiver.received('/canary')).to.deep.equal([]);
    await command(batchId, 'approve');
    expect((await reaches(batchId, 'completed')).rows).to.include({ published: 3, committed: 5 });
    await command(batchId, 'publish');
    expect((await reaches(batchId, 'completed')).rows).to.include({ published: 8, waiting: 0 });
    expect(await receiver.deliveries('/canary', 2)).to.have.length(2);
    for (const { publishedUrl } of await rowsOf(batchId, 'published'))
      expect((await service.request('GET', publishedUrl!)).status).to.equal(200);
  });
});
