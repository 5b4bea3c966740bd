// Takes long: batches of a service that does one task at a time.
import { expect } from 'chai';
import type { RowCounts, RowState, RowView } from '../../src/contract/batch.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, modernPages, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

interface View {
  batchId: string;
  status: string;
  errorMessage?: string;
  rows: RowCounts;
}

const path = '/api/v1/agent/batches';

describe('batches, row by row', function () {
  this.timeout(360_000);
  let service: Service;
  before(async () => {
    service = await startService({ env: { TASKS_IN_FLIGHT: '1' } });
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const send = async (method: string, url: string, body?: object) =>
    service.request(method, url, {
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const post = (site: TeamSite, body: object) =>
    send('POST', path, { siteId: site.siteId, templatePageSlug: '/locations/austin', ...body });
  /** The place of a run that has ended is free a moment later. */
  const patiently = <R extends { status: number }>(request: () => Promise<R>) =>
    until('a place', async () => {
      const reply = await request();
      return reply.status !== 429 && reply;
    });
  async function create(site: TeamSite, body: object): Promise<string> {
    const reply = await patiently(() => post(site, body));
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
  const ask = (batchId: string, name: string, body?: object) =>
    send('POST', `${path}/${batchId}/${name}`, body);
  const command = async (batchId: string, name: string, body?: object) => {
    const reply = await patiently(() => ask(batchId, name, body));
    expect(reply.status, reply.text).to.equal(200);
  };
  const ended = async (batchId: string, count: Partial<RowCounts>) => {
    const { rows, status, errorMessage } = await reaches(batchId, 'completed', 'failed');
    expect({ status, errorMessage }).to.deep.equal({
      status: 'completed',
      errorMessage: undefined,
    });
    expect(rows).to.include(count);
  };
  const textOf = async (url: string) => (await service.request('GET', url)).text;
  const fileOf = (site: TeamSite, file: string) => git(site.remote, 'show', `main:${file}`);
  const city = (name: string, more: object = {}) => ({
    targetPageSlug: `/locations/${name.toLowerCase()}`,
    context: `City: ${name}\nHeadline: Web design in ${name} that works`,
    ...more,
  });

  it('links its hub page once to each published page, whatever became of the rows before', async () => {
    const site = await TeamSite.register(service, 'edge-hub');
    site.push({ 'locations/hanoi.html': site.source('locations/denver.html') });
    const hostile = 'Cádiz <script>alert(1)</script> "&amp;" {{x}}';
    const batchId = await create(site, {
      rows: [
        city('Aarhus'),
        city('Bergen'),
        city('Cadiz', { context: `City: ${hostile}\nHeadline: <b>Hi</b> & "bye"` }),
        city('Hanoi'),
        city('Delft'),
        city('Essen'),
        city('Aarhus', { targetPageSlug: '/Locations/Aarhus.html' }),
        city('Faro', { templatePageSlug: '/locations/none' }),
      ],
      publish: true,
      canary: 2,
      linkFrom: '/locations',
    });
    const links = () =>
      [...fileOf(site, 'locations/index.html').matchAll(/class="more"><a href="([^"]+)"/g)]
        .map(([, to]) => to!)
        .sort();
    await reaches(batchId, 'waiting');
    const { workflow, connection } = await connectTemporal(service);
    const run = await workflow.getHandle(batchId).describe();
    expect(await run.staticSummary()).to.equal('edge-hub: 7 pages from 2 templates');
    expect(await run.staticDetails())
      .to.include(`\`${batchId}\``)
      .and.include(site.siteId);
    expect(run.searchAttributes).to.deep.include({ SiteId: [site.siteId], TaskType: ['batch'] });
    await connection.close();
    expect(links()).to.deep.equal(['aarhus', 'austin', 'bergen', 'denver']);
    // while it waits, a task links another page from the same hub
    const lisbon = await site.run(
      citiesBody(['Lisbon'], { linkFrom: '/locations', publish: true }),
    );
    expect(lisbon).to.include({ status: 'completed' });
    await command(batchId, 'skip', { rows: [5] });
    await command(batchId, 'approve');
    await ended(batchId, { published: 4, skipped: 1, failed: 3 });
    expect(links()).to.deep.equal([
      'aarhus',
      'austin',
      'bergen',
      'cadiz',
      'denver',
      'essen',
      'lisbon',
    ]);
    const cadiz = await textOf(site.live('/locations/cadiz'));
    expect(cadiz).to.not.match(/<script>alert|<b>Hi/);
    expect(headlineOf(cadiz)).to.contain('Hi');
    expect(fileOf(site, 'locations/index.html')).to.not.match(/<script>alert|<b>Hi/);

    // the team makes room for a row, adds the template of another, and deletes a page
    site.push({
      'locations/hanoi.html': null,
      'locations/none.html': fileOf(site, 'locations/austin.html'),
      'locations/bergen.html': null,
    });
    await command(batchId, 'retry');
    await ended(batchId, { published: 5, skipped: 1, failed: 2 });
    expect(headlineOf(await textOf(site.live('/locations/hanoi')))).to.include('Hanoi');
    const failed = await rowsOf(batchId, 'failed');
    expect(failed.map(({ number }) => number)).to.deep.equal([7, 8]);
    expect(failed[1]!.error).to.match(/^linkFrom: no block of \/locations links to the template/);
    expect(links()).to.include('hanoi').and.have.length(8);
    const wrong = await ask(batchId, 'retry', { rows: [7] });
    expect([wrong.status, wrong.text]).to.deep.equal([
      409,
      '{"error":"Rows can\'t be retried: none has failed, or the requests of those that did are wrong"}',
    ]);
  });

  it('has no place in flight while it waits for people, and takes one again', async () => {
    const site = await TeamSite.register(service, 'edge-place');
    const canary = { publish: true, canary: 1, rows: [city('Gera'), city('Hof')] };
    const waiting = await create(site, canary);
    await reaches(waiting, 'waiting');
    const gate = site.gate('refs/agent-tasks/');
    const held = await create(site, { rows: [city('Jena'), city('Kiel')] });
    await gate.arrived();
    const refusals = [
      await post(site, canary),
      await ask(waiting, 'approve'),
      await send('POST', '/api/v1/agent/tasks', { siteId: site.siteId, ...citiesBody(['Linz']) }),
    ];
    for (const { status, json, headers } of refusals) {
      expect([status, headers['retry-after']]).to.deep.equal([429, '5']);
      expect(json).to.deep.equal({
        error: 'Too Many Requests: the organization has 1 tasks in flight, its limit',
      });
    }
    expect(await read(waiting)).to.include({ status: 'waiting', canaryApproved: false });
    await command(held, 'pause');
    gate.open();
    await reaches(held, 'paused');
    await command(waiting, 'approve');
    await ended(waiting, { published: 2 });
    await command(held, 'resume');
    await ended(held, { committed: 2 });
    const task = { siteId: site.siteId, ...citiesBody(['Linz']) };
    const posted = await patiently(() => service.postTask(task));
    const { status } = await service.waitForTask(posted.json.taskId as string);
    expect(status).to.equal('completed');
  });

  it('holds pages of a site that is not ours for any warning, until they are approved', async () => {
    const site = await TeamSite.register(service, 'edge-modern', modernPages);
    site.push({ 'work.html': overview(fileOf(site, 'portfolio-overview.html')) });
    const row = (slug: string, more: object = {}) => ({
      targetPageSlug: slug,
      context: `Title: Project ${slug.slice(1)}\nHeadline: The project ${slug.slice(1)}\nLead: ${slug} is a mill`,
      ...more,
    });
    const unused = { context: `${row('/alpha').context}\nClient: ACME` };
    const rows = [row('/alpha', unused), row('/beta', { facts: 'drop' }), row('/pricing')];
    const wanted = { templatePageSlug: '/portfolio-item', publish: true, onWarnings: 'hold' };
    const batchId = await create(site, { ...wanted, rows, linkFrom: '/work' });
    await ended(batchId, { held: 2, failed: 1 });
    const kinds = (await rowsOf(batchId, 'held')).map(({ notes = [] }) =>
      notes.map(({ kind }) => kind),
    );
    expect(kinds).to.deep.equal([
      ['unused', 'template'],
      // the commit tells it
      ['part', 'template'],
    ]);
    await command(batchId, 'approve', { rows: [2] });
    await ended(batchId, { held: 1, published: 1 });
    expect(fileOf(site, 'work.html')).to.include('beta.html').and.not.include('alpha.html');
    await command(batchId, 'skip', { rows: [1] });
    expect((await send('GET', site.live('/alpha'))).status).to.equal(404);
    const unfit = await create(site, { ...wanted, rows, linkFrom: '/portfolio-overview' });
    expect((await reaches(unfit, 'failed')).errorMessage).to.include(
      'no block of /portfolio-overview links to the template /portfolio-item',
    );
  });
});

/** The overview, whose projects link nowhere, with links to the project, and a list of them. */
function overview(html: string): string {
  const item = { '@type': 'ListItem', position: 1, url: 'portfolio-item.html' };
  const list = { '@context': 'https://schema.org', '@type': 'ItemList', itemListElement: [item] };
  return html
    .replaceAll(/(stretched-link" href=")#!/g, '$1portfolio-item.html')
    .replace(
      '</head>',
      `<script type="application/ld+json">${JSON.stringify(list)}</script></head>`,
    );
}
