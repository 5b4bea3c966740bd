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
    const begun = await ask('POST', taskId, '/notes/drop', body);
    return service.waitForTask(begun['taskId'] as string);
  };
  const pageOf = async (view: TaskView, slug: string) => {
    const { pagesCreated, pagesModified } = outputOf(view);
    const page = [...pagesCreated, ...pagesModified].find((one) => one.slug === slug);
    return (await service.request('GET', page!.previewUrl!)).text;
  };

  it('are resolved by a removal on one page, which takes out each of the values and says so', async () => {
    const [first] = tasks as [TaskView];
    const slug = '/locations/lisbon';
    expect(await pageOf(first, slug)).to.match(/2014/);
    const done = await drop(first, { page: slug, kind: 'date' });
    expect(done).to.include({
      type: 'drop',
      title: `Remove the date from ${slug}`,
      follows: first.taskId,
    });
    expect(await pageOf(done, slug)).to.not.match(/2014|January 11, 2027/);
    expect(outputOf(done).summary).to.include('2014');
    const after = notesOf(await now(first));
    const dates = after.filter(({ kind }) => kind === 'date');
    expect(dates.map(({ page, state, droppedIn }) => [page, state, droppedIn])).to.deep.equal([
      [slug, 'dropped', done.taskId],
      ['/locations/porto', 'open', undefined],
    ]);
    expect(notesOf(done).some(({ page, kind }) => page === slug && kind === 'date')).to.equal(
      false,
    );
    expect(notesOf(done)).to.have.length(after.length - 1);
  });

  it('on several pages are resolved by a removal that builds on earlier removals', async () => {
    const [first] = tasks as [TaskView];
    const done = await drop(first, { kind: 'quote' });
    for (const slug of ['/locations/lisbon', '/locations/porto']) {
      const page = await pageOf(done, slug);
      expect(page, slug).to.include('$4,800').and.not.include('Ruth Calloway');
      expect(page.includes('2014'), `the dates of ${slug}`).to.equal(slug !== '/locations/lisbon');
    }
    tasks[0] = done;
    tasks[1] = await drop(tasks[1]!, { kind: 'quote' });
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
});
