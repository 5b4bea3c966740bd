import { expect } from 'chai';
import type { Note, TaskView } from '../../src/contract/task.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

type ToldNote = Note & { id: string; state: string; droppedIn?: string; by?: object | null };

describe('notes of tasks on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let site: TeamSite;
  let tasks: TaskView[];
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'notes');
    tasks = [
      await site.run(citiesBody(['Lisbon', 'Porto'])),
      await site.run(citiesBody(['Braga'])),
    ];
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const ask = async (method: string, taskId: string, path = '', body?: object) => {
    const { status, json, text } = await service.request(
      method,
      `/api/v1/agent/tasks/${taskId}${path}`,
      {
        ...(body && { body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
      },
    );
    expect(status, text).to.equal(200);
    return json as Record<string, unknown>;
  };
  const notesOf = (view: TaskView) => (outputOf(view).notes ?? []) as ToldNote[];
  const now = async ({ taskId }: TaskView) => (await ask('GET', taskId)) as unknown as TaskView;
  const drop = async ({ taskId }: TaskView, body: object) => {
    const removal = await ask('POST', taskId, '/notes/drop', body);
    expect(removal).to.include({ taskId });
    return removal['version'] as {
      kind: string;
      version: number;
      summary: string;
      pages: string[];
    };
  };
  const pageOf = async (view: TaskView, slug: string) => {
    const { pagesCreated, pagesModified } = outputOf(view);
    const page = [...pagesCreated, ...pagesModified].find((one) => one.slug === slug);
    return (await service.request('GET', page!.previewUrl!)).text;
  };

  it('are resolved by a removal on one page, which is a version of the task', async () => {
    const [first] = tasks as [TaskView];
    const slug = '/locations/lisbon';
    expect(await pageOf(first, slug)).to.match(/2014/);
    const version = await drop(first, { page: slug, kind: 'date' });
    expect(version).to.deep.include({ version: 2, kind: 'removal', pages: [slug] });
    expect(await pageOf(first, slug)).to.not.match(/2014|January 11, 2027/);
    const dates = notesOf(await now(first)).filter(({ kind }) => kind === 'date');
    expect(dates.map(({ page, state, droppedIn }) => [page, state, droppedIn])).to.deep.equal([
      [slug, 'dropped', undefined],
      ['/locations/porto', 'open', undefined],
    ]);
  });

  it('on several pages are resolved by a removal after earlier removals, and reopened by an undo', async () => {
    const [first] = tasks as [TaskView];
    const version = await drop(first, { kind: 'quote' });
    for (const slug of ['/locations/lisbon', '/locations/porto']) {
      const page = await pageOf(first, slug);
      expect(page, slug).to.include('$4,800').and.not.include('Ruth Calloway');
      expect(page.includes('2014'), `the dates of ${slug}`).to.equal(slug !== '/locations/lisbon');
    }
    await ask('POST', first.taskId, '/versions/undo', { version: version.version });
    expect(await pageOf(first, '/locations/porto')).to.include('Ruth Calloway');
    const quotes = notesOf(await now(first)).filter(({ kind }) => kind === 'quote');
    expect(quotes.map(({ state }) => state)).to.deep.equal(['open', 'open']);
    await drop(tasks[1]!, { kind: 'quote' });
  });

  it('on unused values are resolved by a place for them, on all pages, until an undo', async () => {
    const cities = citiesBody(['Faro', 'Sintra']);
    const items = cities.items.map((item, index) => ({
      ...item,
      context: `${item.context}\nCustomer rating: 4.${index + 1}\nSince: 2014`,
    }));
    const view = await site.run({ ...cities, items });
    const { taskId } = view;
    const unusedNotes = async () => notesOf(await now(view)).filter(({ keys }) => keys);
    const notes = await unusedNotes();
    expect(notes.map(({ keys }) => keys)).to.deep.equal([
      ['customer rating', 'since'],
      ['customer rating', 'since'],
    ]);
    const ids = notes.map(({ id }) => id);
    const pages = () =>
      Promise.all(['/locations/faro', '/locations/sintra'].map((slug) => pageOf(view, slug)));
    const before = await pages();
    const request = { notes: ids, places: { 'customer rating': 'Rating' } };
    const version = await drop(view, request);
    expect(version).to.deep.include({
      kind: 'replacement',
      summary: 'Use "customer rating" as Rating on 2 pages',
    });
    const rated = await pages();
    for (const [index, page] of rated.entries()) {
      const rating = /"ratingValue": ([\d.]+)/;
      expect(page).to.include(`Rated 4.${index + 1} out of 5`);
      expect(rating.exec(page)![1]).to.equal(`4.${index + 1}`);
      const oldRating = rating.exec(before[index]!)![1]!;
      expect(page.replaceAll(`4.${index + 1}`, oldRating)).to.equal(before[index]);
    }
    expect((await unusedNotes()).map(({ state }) => state)).to.deep.equal(['done', 'done']);
    expect(await drop(view, request)).to.equal(null);
    await ask('POST', taskId, '/versions/undo');
    expect(await pages()).to.deep.equal(before);
    expect((await unusedNotes()).map(({ state }) => state)).to.deep.equal(['open', 'open']);

    const impossible = { notes: ids, places: { 'customer rating': 'Rating', since: 'Date' } };
    const removal = await ask('POST', taskId, '/notes/drop', impossible);
    expect(removal).to.deep.include({ version: null, removed: [], gone: [] });
    expect(removal['messages'])
      .to.be.an('array')
      .that.satisfies((messages: string[]) => messages.every((one) => one.includes('"2014"')));
  });

  it('are published with only the open notes later', async () => {
    const [, second] = tasks as [TaskView, TaskView];
    const [kept] = notesOf(second) as [ToldNote];
    await ask('PATCH', second.taskId, '/notes', { state: 'kept', notes: [kept.id] });
    const open = notesOf(await now(second)).filter(({ state }) => state === 'open');
    const begun = await ask('POST', second.taskId, '/publish');
    const published = outputOf(await service.waitForTask(begun['taskId'] as string));
    expect(published.warnings).to.deep.equal(open.map(({ text }) => text));
    expect(published.warnings).to.not.include(kept.text);
    const live = await service.request('GET', site.live('/locations/braga'));
    expect(live.text).to.not.include('Ruth Calloway');
  });

  it('can all be resolved, so that nothing is left to check', async () => {
    const [first] = tasks as [TaskView];
    await ask('PATCH', first.taskId, '/notes', { state: 'done' });
    expect(outputOf(await now(first))).to.not.have.property('warnings');
  });

  it('on the block that links to a page are resolved in this block, and in no other one', async () => {
    const linking = '/locations';
    const slug = '/locations/faro';
    const view = await site.run(citiesBody(['Faro', 'Beja'], { linkFrom: linking }));
    const blockNotes = async () =>
      notesOf(await now(view)).filter((note) => note.linkFrom === linking);
    const [note, otherNote] = await blockNotes();
    expect([note!.page, otherNote!.page, note!.values]).to.deep.equal([
      slug,
      '/locations/beja',
      [
        'Street map with a pin at the Austin studio',
        '418 Juniper Street, Suite 2 Austin, TX 78701',
        '+1 512 555 0142',
      ],
    ]);
    const cards = async () => (await pageOf(view, linking)).split('<article').slice(1);
    const [austin] = await cards();
    const value = '+1 512 555 0142';
    await drop(view, { notes: [note!.id], value, text: '+351 289 000 000' });
    const [typedAustin, , faro, beja] = await cards();
    expect(typedAustin).to.equal(austin);
    expect(faro)
      .to.include('+351 289 000 000')
      .and.include('tel:+351289000000')
      .and.not.include('512 555');
    expect(beja).to.include(value);
    const version = await drop(view, { notes: [otherNote!.id] });
    expect(version.pages).to.deep.equal([linking]);
    const [droppedAustin, , droppedFaro, droppedBeja] = await cards();
    expect([droppedAustin, droppedFaro]).to.deep.equal([austin, faro]);
    expect(droppedBeja).to.include('Beja').and.not.include('Juniper').and.not.include('512 555');
    await ask('POST', view.taskId, '/versions/undo', { version: version.version });
    expect((await cards())[3]).to.equal(beja);
  });
});
