// Takes long: whole tasks of assistants, of the former era too.
import { expect } from 'chai';
import { headlineOf } from '../helpers/markup.ts';
import { type Assistant, connectAssistant, connectOldAssistant } from '../helpers/mcp.ts';
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

  it("changes somebody else's pages, live at once, by a client of the former era", async () => {
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

  it('retries what failed, and cancels what runs', async () => {
    const site = await TeamSite.register(service, 'assisted-badly');
    const { siteId } = site;
    const assistant = await connectAssistant(service.port, service.demo.apiKey);
    const items = [{ targetPageSlug: '/rome', context: 'City: Rome' }];
    const asked = { siteId, templatePageSlug: '/nowhere', items };
    const { taskId } = await done(assistant, 'generate_pages', asked);
    const failed = await ended(assistant, taskId);
    expect(failed).to.include({ status: 'failed' });
    expect(failed.errorMessage).to.match(/Template page not found: \/nowhere/);
    expect(failed.next).to.match(/retry_task/);

    const held = site.gate('refs/agent-tasks/');
    const running = await done(assistant, 'change_site', {
      siteId,
      prompt: 'Change the headline of / to "Hello"',
    });
    await held.arrived();
    await done(assistant, 'cancel_task', { taskId: running.taskId });
    held.open();
    expect(await ended(assistant, running.taskId)).to.include({ status: 'failed' });
    const retried = await done(assistant, 'retry_task', { taskId });
    expect(await ended(assistant, retried.taskId)).to.include({ status: 'failed' });
    await assistant.close();
  });
});
