import { expect } from 'chai';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

describe('editing by hand, then publishing', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('puts the edited page live as its preview showed it', async () => {
    const site = await TeamSite.register(service, 'edited');
    const taskId = await site.create(citiesBody(['Lisbon']));
    const view = await service.waitForTask(taskId);
    const [page] = view.status === 'completed' ? view.output.pagesCreated : [];
    const link = await service.request('POST', `/api/v1/agent/tasks/${taskId}/edit-link`);
    const url = new URL(String(link.json.url));
    expect(url.href.replace(url.hash, '')).to.equal(page?.editUrl);

    const headers = { 'content-type': 'application/json', origin: url.origin };
    const body = JSON.stringify({ key: url.hash.slice('#key='.length) });
    const session = await service.request('POST', `/edit/${taskId}/.session`, { headers, body });
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const at = `/edit/${taskId}/.page?slug=${page?.slug}`;
    const { json: opened } = await service.request('GET', at, { headers: { cookie } });
    const texts = opened.texts as { id: string; level?: number }[];
    const change = {
      digest: opened.digest,
      texts: { [texts.find(({ level }) => level === 1)?.id ?? '']: ['By hand & live'] },
    };
    const saved = await service.request('PUT', at, {
      headers: { ...headers, cookie },
      body: JSON.stringify(change),
    });
    expect(saved.json.source).to.contain('>By hand &amp; live</h1>');
    expect((await service.request('GET', page?.previewUrl ?? '')).text).to.equal(saved.json.source);

    const publish = await service.request('POST', `/api/v1/agent/tasks/${taskId}/publish`);
    const done = await service.waitForTask(publish.json.taskId as string);
    const [live] = done.status === 'completed' ? done.output.pagesCreated : [];
    expect((await service.request('GET', live?.publishedUrl ?? '')).text).to.equal(
      saved.json.source,
    );
    const again = await service.request(
      'POST',
      `/api/v1/agent/tasks/${String(publish.json.taskId)}/edit-link`,
    );
    expect(new URL(String(again.json.url)).pathname).to.equal(url.pathname);
  });
});
