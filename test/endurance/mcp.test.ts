// Takes long: whole tasks of assistants, of the former era too.
import { expect } from 'chai';
import { headlineOf } from '../helpers/markup.ts';
import {
  type Assistant,
  connectAssistant,
  connectOldAssistant,
  type Person,
} from '../helpers/mcp.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { modernPages, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

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

  it('creates twelve pages, reads notes, removes facts, and puts the pages live', async () => {
    const site = await TeamSite.register(service, 'assisted-twelve');
    const { siteId } = site;
    const person: Person = { asked: [], answers: 'accept' };
    const assistant = await connectAssistant(service.port, service.demo.apiKey, person);
    const cities = Array.from({ length: 12 }, (_, i) => `Town ${'ABCDEFGHIJKL'[i]}`);
    const slugOf = (city: string) => `/locations/${city.replace(' ', '-').toLowerCase()}`;
    const template = '/locations/austin';
    const { keys } = await done(assistant, 'get_page', { siteId, slug: template });
    const items = cities.map((city) => ({
      targetPageSlug: slugOf(city),
      context: `# Web design in ${city}\n\nCity: ${city}\n${keys['lead']}: For the shops of ${city}.\n\n## Contact\n- Phone: +1 613 555 0101`,
    }));
    const asked = { siteId, templatePageSlug: template };
    const { stays, nextCursor } = await done(assistant, 'check_items', {
      ...asked,
      items: items.slice(0, 10),
    });
    expect(stays[0]).to.include({ label: 'heading', count: 10 });
    expect(nextCursor).to.be.a('string');

    const first = await done(assistant, 'generate_pages', { ...asked, items: items.slice(0, 10) });
    const { output } = await ended(assistant, first.taskId);
    const [quote] = output.notes.filter(({ kind }) => kind === 'quote');
    expect(quote).to.include({ count: 10 });
    const contact = output.notes.find(({ kind }) => kind === 'contact')!;
    expect(contact.text).to.include('the address of').and.not.include('telephone');
    const rest = { ...asked, items: items.slice(10), baseTaskId: first.taskId };
    const { taskId } = await done(assistant, 'generate_pages', rest);
    const { notes } = (await ended(assistant, taskId)).output;
    const noteIds = notes.filter(({ kind }) => kind === 'quote').map(({ noteId }) => noteId);
    const dates = notes.find(({ kind }) => kind === 'date')!;
    const kept = { taskId, state: 'kept', noteIds: [dates.noteId] };
    expect(await done(assistant, 'settle_notes', kept)).to.include({ count: 2 });

    const drop = await done(assistant, 'drop_notes', { taskId, noteIds });
    expect(drop).to.include({ taskId, version: 2 });
    const left = (await ended(assistant, drop.taskId)).output.notes;
    expect(left.map(({ kind }) => kind)).to.not.include('quote');
    const { texts } = await done(assistant, 'get_diff', {
      taskId: drop.taskId,
      slug: slugOf(cities[0]!),
    });
    expect(texts.some(({ before }) => before?.includes('better questions'))).to.equal(true);
    const page = { siteId, slug: slugOf(cities[0]!), taskId: drop.taskId };
    const { outline } = await done(assistant, 'get_page', page);
    expect(outline).to.include('For the shops of Town A.').and.to.not.include('better questions');

    const { taskId: publishing } = await done(assistant, 'publish_task', { taskId: drop.taskId });
    expect(person.asked).to.have.length(1);
    // its own two pages, and the ten of its base task
    expect(person.asked[0]).to.match(/^Make 2 pages live: \/locations\/town-k.* 10\b/s);
    expect(await ended(assistant, publishing)).to.include({ status: 'completed', live: true });
    for (const city of cities) {
      const { text } = await service.request('GET', site.live(slugOf(city)));
      expect(text).to.include(`For the shops of ${city}.`).and.to.not.include('better questions');
    }
    const { deployments } = await done(assistant, 'list_deployments', { siteId });
    const before = deployments.find(({ isLive }) => !isLive)!;
    const back = { siteId, deploymentId: before.deploymentId };
    const restored = await done(assistant, 'restore_deployment', back);
    expect(person.asked).to.have.length(2);
    expect(await ended(assistant, restored.taskId)).to.include({ status: 'completed' });
    const { status } = await service.request('GET', site.live(slugOf(cities[0]!)));
    expect(status).to.equal(404);
    await assistant.close();
  });

  it("changes somebody else's pages and publishes them at once, with a client of the earlier protocol era", async () => {
    const site = await TeamSite.register(service, 'assisted-before', modernPages);
    const { siteId } = site;
    const assistant = await connectOldAssistant(service.port, service.demo.apiKey);
    const asked = { siteId, prompt: 'Change the headline of /faq to "Questions"', publish: true };
    const refused = await assistant.call('change_site', asked);
    expect(refused.json).to.include({ code: 'INVALID_INPUT' });
    const { taskId } = await done(assistant, 'change_site', { ...asked, confirm: true });
    const task = await ended(assistant, taskId);
    expect(task, JSON.stringify(task)).to.include({ status: 'completed', live: true });
    const live = await service.request('GET', site.live('/faq'));
    expect(headlineOf(live.text)).to.equal('Questions');
    await assistant.close();
  });
});
