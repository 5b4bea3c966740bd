import { expect } from 'chai';
import { ALREADY_PUBLISHED } from '../../src/tasks/publishTask.ts';
import { headlineOf } from '../helpers/markup.ts';
import { type Assistant, connectAssistant, type Person } from '../helpers/mcp.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

describe('a whole task by an assistant', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  async function done(assistant: Assistant, name: string, args: Record<string, unknown>) {
    const { isError, json } = await assistant.call(name, args);
    expect(isError, JSON.stringify(json)).to.equal(false);
    return json;
  }
  /** The task at its end: a call waits, so one or two are enough. */
  async function ended(assistant: Assistant, taskId: string) {
    for (;;) {
      const task = await done(assistant, 'get_task', { taskId });
      if (task.status !== 'running') return task;
    }
  }

  it('creates pages, asks the person, and puts the pages live', async () => {
    const site = await TeamSite.register(service, 'assisted');
    const { siteId } = site;
    const person: Person = { asked: [], answers: 'accept' };
    const assistant = await connectAssistant(service.port, service.demo.apiKey, person);

    const { sites } = await done(assistant, 'list_sites', {});
    expect(sites).to.deep.include({
      siteId,
      name: 'assisted',
      liveUrl: site.live('/'),
      problem: null,
    });
    const { pages } = await done(assistant, 'list_pages', { siteId });
    const template = pages.find(({ slug }) => slug === '/locations/austin')!;
    expect(template).to.include({ template: true });
    const asRead = { siteId, slug: template.slug };
    const { outline, keys, maxLengths } = await done(assistant, 'get_page', asRead);
    const [, id, headline] = /^.*\b(s\d+) h1 (.*Austin.*)$/m.exec(outline)!;
    expect(keys).to.include({ headline: id });
    expect(maxLengths[id!]).to.equal(
      Math.floor(Math.max(headline!.length * 1.5, headline!.length + 20)),
    );

    const items = [
      { targetPageSlug: '/locations/rome', context: 'City: Rome\nHeadline: Web design in Rome' },
    ];
    const asked = { siteId, templatePageSlug: template.slug, items };
    expect(await done(assistant, 'check_items', asked)).to.include({ ok: true, agent: 'rules' });
    const sent = { ...asked, idempotencyKey: 'rome-1' };
    const { taskId } = await done(assistant, 'generate_pages', sent);
    expect((await done(assistant, 'generate_pages', sent)).taskId).to.equal(taskId);
    const other = await assistant.call('generate_pages', { ...sent, title: 'Another' });
    expect(other.json).to.include({ code: 'IDEMPOTENCY_MISMATCH' });

    const task = await ended(assistant, taskId);
    expect(task).to.include({ status: 'completed', live: false });
    expect(task.next).to.match(/publish_task/);
    const [page] = task.output.pagesCreated;
    const preview = await service.request('GET', page!.previewUrl);
    expect(headlineOf(preview.text)).to.equal('Web design in Rome');
    expect((await service.request('GET', site.live('/locations/rome'))).status).to.equal(404);
    expect(person.asked).to.deep.equal([]);

    person.answers = 'decline';
    const refused = await assistant.call('publish_task', { taskId, confirm: true });
    expect(refused.json).to.include({ code: 'CONFLICT' });
    person.answers = 'accept';
    const publish = { taskId, idempotencyKey: 'rome-live' };
    const published = await done(assistant, 'publish_task', publish);
    expect(person.asked).to.deep.equal(Array(2).fill('Make 1 page live: /locations/rome?'));
    expect(await ended(assistant, published.taskId)).to.include({ status: 'completed' });
    const live = await service.request('GET', site.live('/locations/rome'));
    expect(headlineOf(live.text)).to.equal('Web design in Rome');
    expect(await done(assistant, 'get_task', { taskId })).to.include({ live: true });

    // the same wish again gets the same answer, a new one the error of REST
    expect((await done(assistant, 'publish_task', publish)).taskId).to.equal(published.taskId);
    const again = await assistant.call('publish_task', { taskId });
    expect(again.json).to.include({ code: 'CONFLICT', error: ALREADY_PUBLISHED });
    const { tasks } = await done(assistant, 'list_tasks', { siteId });
    expect(tasks.map(({ type }) => type)).to.deep.equal(['publish', 'generate_pages']);
    await assistant.close();
  });

  it('makes pages from a table, decides on their notes, approves the canary, and puts them live', async () => {
    const site = await TeamSite.register(service, 'assisted-table');
    const { siteId } = site;
    const person: Person = { asked: [], answers: 'accept' };
    const assistant = await connectAssistant(service.port, service.demo.apiKey, person);
    const cities = ['Rome', 'Oslo', 'Bern'];
    const lines = cities.map(
      (city) => `/locations/${city.toLowerCase()},${city},Web design in ${city}`,
    );
    const csv = ['targetPageSlug,City,Headline', ...lines, '/locations/austin,Austin,Taken'].join(
      '\n',
    );
    const table = { siteId, templatePageSlug: '/locations/austin', csv };

    const check = await done(assistant, 'check_batch', table);
    expect(check).to.include({ ok: false, make: 3, fail: 1 });
    expect(check.rows.map(({ number }) => number)).to.deep.equal([4]);
    const made = { ...table, canary: 1, idempotencyKey: 'cities-1' };
    const { batchId } = await done(assistant, 'make_batch', made);
    expect((await done(assistant, 'make_batch', made)).batchId).to.equal(batchId);

    const batch = async () => {
      for (;;) {
        const read = await done(assistant, 'get_batch', { batchId });
        if (read.status !== 'running') return read;
      }
    };
    const canary = await batch();
    expect(canary).to.include({ status: 'waiting', publish: false });
    expect(canary.next).to.match(/approve_rows/);
    await done(assistant, 'approve_rows', { batchId });
    const written = await batch();
    expect(written).to.include({ status: 'completed' });
    expect(written.counts).to.include({ committed: 3, failed: 1 });
    expect(written.rowsToCheck.map(({ number, why }) => [number, why])).to.deep.equal([
      [4, 'failed'],
    ]);

    const shared = written.notes.find(({ count }) => count === 3)!;
    const decided = { batchId, state: 'kept', noteIds: [shared.noteId] };
    expect(await done(assistant, 'decide_notes', decided)).to.include({ count: 3 });
    const remaining = await done(assistant, 'get_batch', { batchId, wait: 0 });
    expect(remaining.notes.map(({ text }) => text)).to.deep.equal(
      written.notes.map(({ text }) => text).filter((text) => text !== shared.text),
    );

    person.answers = 'decline';
    const refused = await assistant.call('publish_batch', { batchId });
    expect(refused.json).to.include({ code: 'CONFLICT' });
    person.answers = 'accept';
    await done(assistant, 'publish_batch', { batchId });
    expect(person.asked).to.deep.equal(Array(2).fill('Make 3 pages live? Not live: 1 failed.'));
    expect((await batch()).counts).to.include({ published: 3 });
    const live = await service.request('GET', site.live('/locations/oslo'));
    expect(headlineOf(live.text)).to.equal('Web design in Oslo');

    const nothing = await assistant.call('publish_batch', { batchId });
    expect(nothing.json).to.include({ code: 'CONFLICT' });
    const neither = await assistant.call('check_batch', { siteId });
    expect(neither.json).to.include({ code: 'INVALID_INPUT' });
    expect(person.asked).to.have.lengthOf(2);
    await assistant.close();
  });
});
