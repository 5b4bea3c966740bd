import { expect } from 'chai';
import type { PublishCheckResponse, Task } from '../../src/contract/responses.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const braga = '/locations/braga';
const faro = '/locations/faro';

describe('pages of a task that are left out', function () {
  this.timeout(180_000);
  let service: Service;
  let site: TeamSite;
  let taskId: string;
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'leave-out');
    const body = citiesBody(['Braga', 'Faro', 'Tomar'], { linkFrom: '/locations' });
    taskId = (await site.run(body)).taskId;
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const ask = async <T>(method: string, path: string, body?: object, expected = 200) => {
    const { status, json, text } = await service.request(method, `/api/v1/agent/tasks/${path}`, {
      ...(body && { body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status, text).to.equal(expected);
    return json as T;
  };
  const publish = async (body?: object) => {
    const begun = await ask<{ taskId: string }>('POST', `${taskId}/publish`, body);
    return service.waitForTask(begun.taskId);
  };
  const live = async (path: string) => {
    const { status, text } = await service.request('GET', site.live(path));
    return { status, text };
  };
  const mark = async (slug: string, value: string) => {
    type Reviews = { pages: { slug: string; version: string }[] };
    const { pages } = await ask<Reviews>('GET', `${taskId}/reviews`);
    const { version } = pages.find((page) => page.slug === slug)!;
    await ask('PATCH', `${taskId}/reviews`, { mark: value, pages: [{ slug, version }] });
  };
  const versions = async () =>
    (
      await ask<{ versions: { kind: string; summary: string; version: number }[] }>(
        'GET',
        `${taskId}/versions`,
      )
    ).versions;

  it('are refused if the task did not change them, or if no page is left', async () => {
    const unknown = await ask<{ error: string }>(
      'POST',
      `${taskId}/publish`,
      { leaveOut: ['/pricing'] },
      400,
    );
    expect(unknown.error).to.include('/pricing is not one of them');
    const all = [braga, faro, '/locations/tomar', '/locations'];
    const nothing = await ask<{ error: string }>(
      'POST',
      `${taskId}/publish`,
      { leaveOut: all },
      409,
    );
    expect(nothing.error).to.include('All changed pages are left out');
    expect(await versions()).to.have.length(1);
  });

  it('are neither live nor linked, and the other pages are', async () => {
    const before = await live('/locations/');
    await mark(braga, 'left-out');
    const check = await ask<PublishCheckResponse>('GET', `${taskId}/publish`);
    expect(check.pages.slugs).to.have.members([faro, '/locations/tomar', '/locations']);
    expect(check.leftOut).to.deep.equal({ count: 1, slugs: [braga] });
    const published = outputOf(await publish());
    expect(published.pagesCreated.map(({ slug }) => slug)).to.deep.equal([
      faro,
      '/locations/tomar',
    ]);
    expect((await live(braga)).status).to.equal(404);
    expect((await live(faro)).status).to.equal(200);
    const locations = (await live('/locations/')).text;
    expect(locations).to.include('Faro').and.to.include('Tomar').and.to.not.include('Braga');
    const sitemap = (await live('/sitemap.xml')).text;
    expect(sitemap).to.include(faro).and.to.not.include(braga);
    // two cards were added, and nothing else has changed
    const cards = (text: string) => text.split('<article').length;
    expect(cards(locations) - cards(before.text)).to.equal(2);
    const task = await ask<Task>('GET', taskId);
    expect(task.publication).to.deep.include({ state: 'live', leftOutPages: [braga] });
    expect((await versions())[0]).to.include({ kind: 'omission', summary: `Leave out ${braga}` });
  });

  it('go live after an undo, if the request leaves nothing out', async () => {
    await ask('POST', `${taskId}/versions/undo`, { version: (await versions())[0]!.version });
    const marked = await ask<PublishCheckResponse>('GET', `${taskId}/publish`);
    expect(marked.leftOut.slugs).to.deep.equal([braga]);
    await publish({ leaveOut: [] });
    expect((await live(braga)).status).to.equal(200);
    expect((await live('/locations/')).text).to.include('Braga');
    expect((await live('/sitemap.xml')).text).to.include(braga);
  });

  it('keep what they were before, if they are pages of the site', async () => {
    const before = await live('/pricing/');
    const prompt = 'Replace "Northwind" with "Southwind" on /pricing and /about';
    const { taskId: changed } = await site.run({ prompt });
    taskId = changed;
    const slugs = outputOf((await ask<Task>('GET', changed)) as never).pagesModified.map(
      ({ slug }) => slug,
    );
    expect(slugs).to.include('/pricing');
    const published = outputOf(await publish({ leaveOut: ['/pricing'] }));
    expect(published.pagesModified.map(({ slug }) => slug)).to.deep.equal(
      slugs.filter((slug) => slug !== '/pricing'),
    );
    expect(await live('/pricing/')).to.deep.equal(before);
  });
});
