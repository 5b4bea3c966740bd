import { expect } from 'chai';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
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
  const ref = (site: TeamSite, batchId: string) =>
    git(site.remote, 'rev-parse', `refs/agent-tasks/${batchId}`);
  const lastOn = (site: TeamSite, rev: string, city: string) =>
    git(site.remote, 'log', '-1', '--format=%B', rev, '--', `locations/${city.toLowerCase()}.html`);
  const liveHeadline = async (site: TeamSite, city: string) =>
    headlineOf(await batch.textOf(site.live(slugOf(city))));

  it('go live as they were edited, and go live again after later edits', async () => {
    const site = await TeamSite.register(service, 'edited-batch');
    const cities = ['Alba', 'Beja', 'Cuba'];
    const batchId = await batch.create(site.siteId, cities);
    await batch.reaches(batchId, 'completed');
    const { editUrl } = await rowOf(batchId, 'Beja');
    expect(new URL(editUrl!).pathname).to.equal(`/edit/${batchId}${slugOf('Beja')}`);
    const { page } = await batch.open(batchId, slugOf('Beja'));
    expect(page).to.deep.include({ state: 'draft', pages: [slugOf('Beja')], mayPublish: false });
    const source = await batch.edit(batchId, slugOf('Beja'), 'Beja by hand');
    expect(await batch.textOf((await rowOf(batchId, 'Beja')).previewUrl)).to.equal(source);
    expect(lastOn(site, ref(site, batchId), 'Beja')).to.include(`Agent-Task-Edit: ${batchId}`);
    await batch.edit(batchId, slugOf('Alba'), 'Alba by hand');

    await batch.command(batchId, 'publish');
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 3 });
    expect(await batch.textOf(site.live(slugOf('Beja')))).to.equal(source);
    expect(await liveHeadline(site, 'Alba')).to.equal('Alba by hand');
    expect(await liveHeadline(site, 'Cuba')).to.include('Web design in Cuba');
    expect(lastOn(site, 'main', 'Beja')).to.include(`Agent-Task-Edit: ${batchId}`);

    const again = await batch.open(batchId, slugOf('Beja'));
    expect(again.page.state).to.equal('live');
    expect((await again.save('Beja once more')).json.state).to.equal('edited');
    expect((await batch.read(batchId)).rows).to.include({ published: 2, committed: 1 });
    expect(await liveHeadline(site, 'Beja')).to.equal('Beja by hand');
    await batch.command(batchId, 'publish');
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 3 });
    expect(await liveHeadline(site, 'Beja')).to.equal('Beja once more');
    expect(await liveHeadline(site, 'Alba')).to.equal('Alba by hand');
    const nothing = await batch.send('POST', `/api/v1/agent/batches/${batchId}/publish`);
    expect(nothing.status, nothing.text).to.equal(409);
  });
});
