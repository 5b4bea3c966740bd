// Takes long: a batch of pages for each way in which people edit them beside it.
import { expect } from 'chai';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git, member } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

describe('pages of a batch that people edit, on a running service', function () {
  this.timeout(360_000);
  let service: Service;
  const batch = new BatchEditing(() => service);
  before(async () => (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const slugOf = (city: string) => `/locations/${city.toLowerCase()}`;
  const rowOf = async (batchId: string, city: string) =>
    (await batch.rows(batchId)).find(({ targetPageSlug }) => targetPageSlug === slugOf(city))!;
  const lastOn = (site: TeamSite, rev: string, city: string) =>
    git(site.remote, 'log', '-1', '--format=%B', rev, '--', `locations/${city.toLowerCase()}.html`);
  const liveHeadline = async (site: TeamSite, city: string) =>
    headlineOf(await batch.textOf(site.live(slugOf(city))));
  const previewHeadline = async (batchId: string, city: string) =>
    headlineOf(await batch.textOf((await rowOf(batchId, city)).previewUrl));

  it('keep what was typed while they were held, beside rows that are approved before', async () => {
    const site = await TeamSite.register(service, 'edited-held');
    const cities = ['Daun', 'Enns', 'Fulda'];
    const batchId = await batch.create(site.siteId, cities, { publish: true, holdBelow: 1 });
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ held: 3 });
    await batch.edit(batchId, slugOf('Enns'), 'Enns, first');
    await batch.edit(batchId, slugOf('Enns'), 'Enns, second');
    await batch.command(batchId, 'approve', { rows: [1] });
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ held: 2, published: 1 });
    expect(await previewHeadline(batchId, 'Enns')).to.equal('Enns, second');
    // beside held pages, a live one is edited
    await batch.edit(batchId, slugOf('Daun'), 'Daun by hand');
    expect((await rowOf(batchId, 'Daun')).state).to.equal('committed');
    await batch.command(batchId, 'approve', { rows: [2] });
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ held: 1, published: 2 });
    expect(await liveHeadline(site, 'Enns')).to.equal('Enns, second');
    expect(await liveHeadline(site, 'Daun')).to.equal('Daun by hand');
    expect(lastOn(site, 'main', 'Enns')).to.include(`Agent-Task-Edit: ${batchId}`);
    expect((await service.request('GET', site.live(slugOf('Fulda')))).status).to.equal(404);
    expect(await previewHeadline(batchId, 'Fulda')).to.include('Web design in Fulda');
  });

  it('stay as they are when failed rows are made again, also on a newer site', async () => {
    const site = await TeamSite.register(service, 'edited-retry');
    const wrong = { targetPageSlug: '/about', context: 'City: Xanten\nHeadline: Xanten' };
    const rows = ['Gent', 'Hull'].map((city) => ({
      targetPageSlug: slugOf(city),
      context: `City: ${city}\nHeadline: Web design in ${city} that works`,
    }));
    const batchId = await batch.create(site.siteId, [], { rows: [...rows, wrong] });
    await batch.reaches(batchId, 'completed');
    await batch.edit(batchId, slugOf('Gent'), 'Gent by hand');
    await batch.command(batchId, 'retry', { rows: [3] });
    await batch.reaches(batchId, 'completed');
    expect(await previewHeadline(batchId, 'Gent')).to.equal('Gent by hand');
    await batch.command(batchId, 'publish');
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 2 });
    // all are live: a retry begins on the site as it is now, and shows nothing new
    await site.run({
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [{ targetPageSlug: '/locations/other', context: 'City: Other\nHeadline: Other' }],
      publish: true,
    });
    await batch.command(batchId, 'retry', { rows: [3] });
    await batch.reaches(batchId, 'completed');
    await batch.edit(batchId, slugOf('Hull'), 'Hull by hand');
    await batch.command(batchId, 'publish');
    expect((await batch.reaches(batchId, 'completed', 'failed')).rows).to.include({ published: 2 });
    expect(await liveHeadline(site, 'Hull')).to.equal('Hull by hand');
    expect(await liveHeadline(site, 'Gent')).to.equal('Gent by hand');
    expect((await service.request('GET', site.live('/locations/other'))).status).to.equal(200);
  });

  it('fail their rows alone where the site was changed since, until these are retried or skipped', async () => {
    const site = await TeamSite.register(service, 'edited-changed');
    const cities = ['Pau', 'Riga', 'Sofia'];
    const batchId = await batch.create(site.siteId, cities, { publish: true });
    await batch.reaches(batchId, 'completed');
    for (const city of cities) await batch.edit(batchId, slugOf(city), `${city} by hand`);
    const theirs = '<!doctype html><title>x</title><h1>Theirs</h1>';
    site.push({ 'locations/pau.html': theirs, 'locations/riga.html': theirs });
    await batch.command(batchId, 'publish');
    const { rows } = await batch.reaches(batchId, 'completed', 'failed');
    expect(rows).to.include({ published: 1, failed: 2 });
    expect((await rowOf(batchId, 'Pau')).error).to.include('Retry the row to put the edited page');
    expect(await liveHeadline(site, 'Pau')).to.equal('Theirs');
    expect(await liveHeadline(site, 'Sofia')).to.equal('Sofia by hand');

    await batch.command(batchId, 'skip', { rows: [2] });
    await batch.command(batchId, 'retry');
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 2 });
    expect(await liveHeadline(site, 'Pau')).to.equal('Pau by hand');
    expect(await liveHeadline(site, 'Riga')).to.equal('Theirs');
    expect(await previewHeadline(batchId, 'Pau')).to.equal('Pau by hand');
  });

  it('are not edited while the batch runs, and a save that was faster is taken over', async () => {
    const site = await TeamSite.register(service, 'edited-running');
    const cities = ['Ivry', 'Jena', 'Kehl', 'Lahr'];
    const batchId = await batch.create(site.siteId, cities, { publish: true, canary: 2 });
    expect((await batch.reaches(batchId, 'waiting')).rows).to.include({ published: 2 });
    const before = await batch.open(batchId, slugOf('Ivry'));
    const gate = site.gate('refs/agent-tasks/');
    await batch.command(batchId, 'approve');
    await gate.arrived();
    const refused = await before.save('Too late');
    expect(refused.status).to.equal(409);
    expect(refused.json.error).to.include('Batch is running: pause it');
    expect((await rowOf(batchId, 'Ivry')).editUrl).to.equal(null);
    expect((await batch.link(batchId, slugOf('Ivry'))).status).to.equal(409);
    // an edit that another process pushed first
    const edited = editCommit(site, batchId, 'locations/ivry.html');
    git(site.remote, 'update-ref', `refs/agent-tasks/${batchId}`, edited);
    gate.open();
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 4 });
    expect(await liveHeadline(site, 'Ivry')).to.equal('Pushed by hand');
    expect(await liveHeadline(site, 'Lahr')).to.include('Web design in Lahr');
  });

  it('settle the notes whose values an edit takes off them, and no other', async () => {
    const site = await TeamSite.register(service, 'edited-notes');
    const batchId = await batch.create(site.siteId, ['Oban', 'Pula']);
    await batch.reaches(batchId, 'completed');
    const { page, put } = await batch.open(batchId, slugOf('Oban'));
    const value = 'austin@northwind.example';
    expect(page.source).to.include(value);
    const saved = await put({
      digest: page.digest,
      source: page.source.replaceAll(value, 'oban@northwind.example'),
    });
    expect(saved.status, saved.text).to.equal(200);
    const isOpen = async (city: string) =>
      (await rowOf(batchId, city))
        .notes!.filter((note) => note.value?.includes(value))
        .map(({ state }) => state);
    expect(await isOpen('Oban')).to.deep.equal(['done']);
    expect(await isOpen('Pula')).to.deep.equal(['open']);
    const { notes } = await rowOf(batchId, 'Oban');
    expect(notes!.filter(({ state }) => state === 'open')).to.not.be.empty;
  });

  it('are found by their rows alone, and not once the batch is cancelled', async () => {
    const site = await TeamSite.register(service, 'edited-found');
    const batchId = await batch.create(site.siteId, ['Metz', 'Nice'], { publish: true, canary: 1 });
    await batch.reaches(batchId, 'waiting');
    const wrong: [string, number, string][] = [
      [slugOf('Nice'), 404, 'the batch has no /locations/nice in its preview'],
      ['/about', 404, 'the batch has no /about'],
    ];
    for (const [slug, status, says] of wrong) {
      const reply = await batch.link(batchId, slug);
      expect(reply.status, reply.text).to.equal(status);
      expect(reply.json.error).to.include(says);
    }
    const { read, cookie } = await batch.open(batchId, slugOf('Metz'));
    const other = `/edit/${batchId}/.page?slug=/about`;
    expect((await batch.send('GET', other, undefined, { cookie })).status).to.equal(404);
    await batch.command(batchId, 'cancel');
    const after = await read();
    expect(after.status).to.equal(409);
    expect(after.json.error).to.include('Batch was cancelled');
    expect((await rowOf(batchId, 'Metz')).editUrl).to.equal(null);
  });
});

/** Commits another headline on top of a batch's ref, at the remote. */
function editCommit({ remote }: TeamSite, batchId: string, path: string): string {
  const script = `set -e
    tip=$(git rev-parse refs/agent-tasks/${batchId})
    export GIT_INDEX_FILE=edit-index
    git read-tree $tip
    blob=$(git show $tip:${path} | sed 's/Web design in Ivry that works/Pushed by hand/' | git hash-object -w --stdin)
    git update-index --cacheinfo 100644,$blob,${path}
    git commit-tree $(git write-tree) -p $tip -m "Edit a page by hand" -m "Agent-Task-Edit: ${batchId}"`;
  return member(remote, 'sh', '-c', script).trim();
}
