// Takes long: batches that are held, paused, cancelled, and published later.
import { expect } from 'chai';
import type { RowCounts, RowState } from '../../src/contract/batches/batch.ts';
import type { BatchRowResponse } from '../../src/contract/responses.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { outputOf } from '../helpers/views.ts';
import { git } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

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
  const rowsOf = async (batchId: string, state?: RowState): Promise<BatchRowResponse[]> => {
    const query = state === undefined ? '' : `?state=${state}`;
    return (
      (await send('GET', `${path}/${batchId}/rows${query}`)).json as { rows: BatchRowResponse[] }
    ).rows;
  };
  const command = async (batchId: string, name: string, body?: object) => {
    const reply = await send('POST', `${path}/${batchId}/${name}`, body);
    expect(reply.status, reply.text).to.be.within(200, 204);
  };
  const textOf = async (url: string) => (await service.request('GET', url)).text;
  const states = (rows: BatchRowResponse[]) =>
    rows.map(({ number, state }) => `${number} ${state}`);

  it('publish later a batch that was created without publishing', async () => {
    const site = await TeamSite.register(service, 'batch-later');
    const rows = names('Porto', 3).map((name) => row(name));
    const batchId = await create(site, { rows });
    expect((await reaches(batchId, 'completed')).rows).to.include({ committed: 3, published: 0 });
    await command(batchId, 'publish');
    expect((await reaches(batchId, 'completed')).rows).to.include({ committed: 0, published: 3 });
    for (const { publishedUrl } of await rowsOf(batchId))
      expect(headlineOf(await textOf(publishedUrl!))).to.include('Porto');
    const again = await send('POST', `${path}/${batchId}/publish`, {});
    expect(again.status, again.text).to.equal(409);
  });

  it('hold pages with too little text of their own until they are approved, one by one or all', async () => {
    const site = await TeamSite.register(service, 'batch-held');
    const rows = names('Burg', 4).map((name) => row(name));
    const batchId = await create(site, { rows, publish: true, holdBelow: 1 });
    expect((await reaches(batchId, 'completed')).rows).to.include({ held: 4, published: 0 });
    const held = await rowsOf(batchId);
    expect(held[1]!.publishedUrl).to.equal(null);
    expect(headlineOf(await textOf(held[1]!.previewUrl!))).to.include('Burg');
    expect(held[1]!.notes!.map(({ kind }) => kind)).to.include('template');
    await command(batchId, 'approve', { rows: [2] });
    expect((await reaches(batchId, 'completed')).rows).to.include({ committed: 1, published: 0 });
    await command(batchId, 'publish');
    await until('row 2', async () => states(await rowsOf(batchId))[1] === '2 published');
    await reaches(batchId, 'completed');
    expect(states(await rowsOf(batchId))).to.deep.equal([
      '1 held',
      '2 published',
      '3 held',
      '4 held',
    ]);
    const live = (slug: string) => service.request('GET', site.live(slug));
    expect((await live(held[1]!.targetPageSlug)).status).to.equal(200);
    expect((await live(held[0]!.targetPageSlug)).status).to.equal(404);
    await command(batchId, 'publish', { rows: [1, 3, 4] });
    await until('all', async () => (await read(batchId)).rows.published === 4);
    expect((await live(held[0]!.targetPageSlug)).status).to.equal(200);
  });

  it('can be paused and resumed, and publish nothing if they are cancelled', async () => {
    const site = await TeamSite.register(service, 'batch-stop');
    const rows = names('Dorf', 110).map((name) => row(name));
    const gate = site.gate('refs/agent-tasks/');
    const batchId = await create(site, { rows, publish: true });
    await gate.arrived();
    await command(batchId, 'pause');
    gate.open();
    const paused = await reaches(batchId, 'paused');
    expect(paused.rows.waiting).to.be.greaterThan(0);
    expect(paused.rows.published).to.equal(0);
    await command(batchId, 'resume');
    expect((await reaches(batchId, 'completed')).rows).to.include({ published: 110 });

    const other = site.gate('refs/agent-tasks/');
    const second = await create(site, {
      rows: names('Stadt', 60).map((name) => row(name)),
      publish: true,
    });
    await other.arrived();
    await command(second, 'cancel');
    other.open();
    expect((await reaches(second, 'cancelled')).rows).to.include({ published: 0 });
    const files = git(site.remote, 'ls-tree', '-r', '--name-only', 'main', 'locations/');
    expect(files).to.not.include('stadt');
  });

  it('treat facts as a task does: own facts appear, others are noted or removed', async () => {
    const [site, twin] = [
      await TeamSite.register(service, 'batch-facts'),
      await TeamSite.register(service, 'batch-facts-twin'),
    ];
    const stated = 'Phone: +351 289 555 0101\nAddress: Rua de Santo Antonio 12, 8000-283 Faro';
    const items = [
      { ...row('Faro'), facts: 'keep' },
      { ...row('Lagos'), facts: 'drop' },
      { ...row('Silves'), context: `${row('Silves').context}\n${stated}`, facts: 'drop' },
    ];
    const task = await twin.run({
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items,
    });
    const warnings = outputOf(task).warnings ?? [];
    // by a column of its own, and by what holds for all rows
    const cells = items.map(({ targetPageSlug, context, facts }) =>
      [targetPageSlug, context, facts].map((cell) => `"${cell === 'drop' ? '' : cell}"`).join(),
    );
    const query = `siteId=${site.siteId}&templatePageSlug=/locations/austin&facts=drop&onWarnings=hold`;
    const reply = await service.request('POST', `${path}?${query}`, {
      headers: { 'content-type': 'text/csv' },
      body: ['targetPageSlug,context,facts', ...cells].join('\r\n'),
    });
    expect(reply.status, reply.text).to.equal(200);
    const { batchId } = reply.json as { batchId: string };
    // nobody has to look at what was removed as the request asked
    const { rows: counts } = await reaches(batchId, 'completed', 'failed');
    expect(counts).to.include({ committed: 2, held: 1 });
    const made = await rowsOf(batchId);
    const [kept, dropped, replaced] = items.map(({ targetPageSlug: slug }) => {
      const file = `${slug.slice(1)}.html`;
      const page = site.show(file, `refs/agent-tasks/${batchId}`);
      expect(page, slug).to.equal(twin.show(file, `refs/agent-tasks/${task.taskId}`));
      return page;
    });
    const notes = made.flatMap(({ notes: own = [] }) =>
      own
        .filter(({ kind, state }) => kind !== 'template' && state === 'open')
        .map(({ text }) => text),
    );
    const requested = made.map(({ notes: own = [] }) =>
      own.filter(({ kind }) => kind === 'requested').map(({ state }) => state),
    );
    expect(requested.slice(0, 2)).to.deep.equal([[], ['dropped']]);
    expect(notes).to.deep.equal(warnings.filter((text) => text.startsWith('/locations/')));
    expect(notes.join('\n'))
      .to.include('/locations/faro: the address of the template: "418 Juniper Street')
      .and.include('the telephone number of the template: "+1 512 555 0142"');
    expect(kept).to.include('+1 512 555 0142');
    for (const page of [dropped, replaced]) expect(page).to.not.include('512 555');
    for (const page of [kept, dropped]) expect(page).to.not.include('289 555');
    expect(replaced).to.include('+351 289 555 0101').and.include('Rua de Santo Antonio 12');
  });
});
