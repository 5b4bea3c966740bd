import { expect } from 'chai';
import { REPAIR_UNDONE } from '../../src/contract/batches/batch.ts';
import type { BatchNote, VersionList } from '../../src/contract/responses.ts';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

interface SharedPage {
  slug: string;
  editUrl: string | null;
  live: boolean;
}

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

  it('get a place for a column that they do not use, on top of edits by hand', async () => {
    const site = await TeamSite.register(service, 'placed-batch');
    const rows = ['Elva', 'Fafe'].map((city, index) => ({
      targetPageSlug: slugOf(city),
      context: `City: ${city}\nHeadline: Web design in ${city}\nGuest stars: 4.${index + 1}`,
    }));
    const batchId = await batch.create(site.siteId, [], { rows });
    await batch.reaches(batchId, 'completed');
    await batch.edit(batchId, slugOf('Elva'), 'Elva by hand');
    const notesPath = `/api/v1/agent/batches/${batchId}/notes`;
    const unusedNote = async () => {
      const { notes } = (await batch.send('GET', notesPath)).json as unknown as {
        notes: BatchNote[];
      };
      return notes.find(({ kind }) => kind === 'unused')!;
    };
    const note = await unusedNote();
    expect(note).to.deep.include({ keys: ['guest stars'], open: 2 });
    const decide = (body: object) =>
      batch.send('PATCH', notesPath, { state: 'done', notes: [note.noteId], ...body });
    const places = { 'guest stars': 'Rating' };
    for (const [body, status] of [
      [{ places: { 'guest stars': 'Nowhere' } }, 400],
      [{ places, state: 'kept' }, 400],
      [{ places, text: 'five' }, 400],
      [{ places, notes: null }, 400],
      [{ places: { 'guest stars': 'Rating', since: 'Rating' } }, 400],
      [{ places: { since: 'Date' } }, 409],
    ] as const)
      expect((await decide(body)).status, JSON.stringify(body)).to.equal(status);
    const decided = await decide({ places });
    expect(decided.json, decided.text).to.deep.include({
      decision: { resolved: 2, remaining: 0, messages: [] },
    });
    const previewOf = async (city: string) => batch.textOf((await rowOf(batchId, city)).previewUrl);
    expect(await previewOf('Elva'))
      .to.include('Elva by hand')
      .and.include('Rated 4.1 out of 5');
    expect(await previewOf('Fafe')).to.include('Rated 4.2 out of 5');
    expect(await unusedNote()).to.include({ state: 'done', changed: true, open: 0 });
    const undone = await batch.send('POST', `/api/v1/agent/batches/${batchId}/versions/undo`);
    expect(undone.status, undone.text).to.equal(200);
    expect(await previewOf('Elva'))
      .to.include('Elva by hand')
      .and.not.include('Rated 4.1');
    expect(await unusedNote()).to.include({ state: 'open', open: 2 });
  });

  it('come as a version if a failed row is retried, and an undo of it fails the row again', async () => {
    const site = await TeamSite.register(service, 'repaired-batch');
    const batchId = await batch.create(site.siteId, ['Gent', 'Hull']);
    await batch.reaches(batchId, 'completed');
    const hullRow = (await rowOf(batchId, 'Hull')).number;
    site.push({ 'locations/hull.html': '<h1>Theirs</h1>' });
    await batch.command(batchId, 'publish', { rows: [hullRow] });
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ held: 1, failed: 1 });
    site.push({ 'locations/hull.html': null });
    await batch.command(batchId, 'approve');
    await batch.reaches(batchId, 'completed');

    const retryHull = async () => {
      await batch.command(batchId, 'retry');
      await batch.reaches(batchId, 'completed');
      return rowOf(batchId, 'Hull');
    };
    const path = `/api/v1/agent/batches/${batchId}/versions`;
    const versions = async () => {
      const { versions: list } = (await batch.send('GET', path)).json as unknown as VersionList;
      return list.map(({ kind, pages, undone }) => [kind, pages.join(), undone]);
    };
    const undo = async () => {
      const undone = await batch.send('POST', `${path}/undo`);
      expect(undone.status, undone.text).to.equal(200);
    };
    const hull = slugOf('Hull');
    const repaired = await retryHull();
    expect(await batch.textOf(repaired.previewUrl)).to.include('Web design in Hull');
    expect(await versions()).to.deep.equal([
      ['repair', hull, false],
      ['result', `${slugOf('Gent')},${hull}`, false],
    ]);
    await batch.edit(batchId, hull, 'Hull by hand');

    await undo();
    await undo();
    const failed = await rowOf(batchId, 'Hull');
    expect(failed).to.deep.include({ state: 'failed', previewUrl: null, error: REPAIR_UNDONE });
    expect(await batch.textOf(repaired.previewUrl)).to.equal('<h1>Theirs</h1>');
    expect((await batch.send('POST', `${path}/undo`)).status).to.equal(409);
    expect((await versions()).map(([kind, , undone]) => [kind, undone])).to.deep.equal([
      ['undo', false],
      ['undo', false],
      ['edit', true],
      ['repair', true],
      ['result', false],
    ]);

    expect(await batch.textOf((await retryHull()).previewUrl)).to.include('Web design in Hull');
    expect((await versions()).slice(0, 2)).to.deep.equal([
      ['repair', hull, false],
      ['undo', hull, false],
    ]);
  });

  it('are shown part by part by a share link, and edited with it until the link ends', async () => {
    const site = await TeamSite.register(service, 'shared-batch');
    const batchId = await batch.create(site.siteId, ['Dover', 'Ely', 'Fife']);
    const refused = await batch.send('POST', `/api/v1/agent/batches/${batchId}x/shares`, {
      access: 'view',
    });
    expect(refused.status).to.equal(404);
    await batch.reaches(batchId, 'completed');
    const share = (access: string) =>
      batch.send('POST', `/api/v1/agent/batches/${batchId}/shares`, { access });
    const created = await share('edit');
    expect(created.status, created.text).to.equal(201);
    expect(created.json).to.include({ batchId, taskId: null, access: 'edit' });
    const { shareId } = created.json;
    const key = new URL(String(created.json['url'])).hash.slice('#key='.length);
    const { origin } = new URL(String(created.json['url']));
    const open = (part: object) =>
      batch.send('POST', `/shared/${String(shareId)}`, { key, ...part }, { origin });

    const first = await open({ limit: 2 });
    expect(first.status, first.text).to.equal(200);
    expect(first.json['total']).to.equal(3);
    const rest = await open({ limit: 2, cursor: first.json['nextCursor'] });
    expect(rest.json['nextCursor']).to.equal(null);
    const pages = [first, rest].flatMap(({ json }) => json['pages'] as SharedPage[]);
    expect(pages.map(({ slug, live }) => [slug, live])).to.deep.equal(
      ['Dover', 'Ely', 'Fife'].map((city) => [slugOf(city), false]),
    );
    expect((await open({ cursor: 'page 1' })).status).to.equal(400);

    const path = `/edit/${batchId}`;
    const grant = new URL(pages[1]!.editUrl!).hash.slice('#key='.length);
    const begun = await batch.send('POST', `${path}/.session`, { key: grant }, { origin });
    expect(begun.status, begun.text).to.equal(200);
    const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    const readPage = () =>
      batch.send('GET', `${path}/.page?slug=${slugOf('Ely')}`, undefined, { cookie });
    expect((await readPage()).status).to.equal(200);

    const listed = await batch.send('GET', `/api/v1/shares?batchId=${batchId}`);
    const [link] = listed.json['shares'] as { title: string; siteId: string }[];
    expect(link).to.include({ shareId, siteId: site.siteId });
    expect(link!.title).to.match(/3 pages|locations/i);
    const none = await batch.send('GET', `/api/v1/shares?taskId=${batchId}`);
    expect(none.json['shares']).to.deep.equal([]);

    expect((await batch.send('DELETE', `/api/v1/shares/${String(shareId)}`)).status).to.equal(204);
    expect((await open({})).status).to.equal(401);
    expect((await readPage()).status).to.equal(401);
  });
});
