// Takes long: a task or two for each reason to refuse what follows a task.
import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

describe('what follows a task on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const post = (taskId: string, action: string) =>
    service.request('POST', `/api/v1/agent/tasks/${taskId}/${action}`);
  const get = (url: string) => service.request('GET', url);

  /** Asks for a follow-up that is a task itself. @returns its view at its end */
  async function follow(taskId: string, action: 'publish' | 'retry'): Promise<TaskView> {
    const { status, json, text } = await post(taskId, action);
    expect(status, text).to.equal(200);
    expect(json)
      .to.have.all.keys('taskId', 'status', 'createdAt')
      .and.include({ status: 'running' });
    expect(json.taskId)
      .to.match(/^bg-[a-z0-9]{22}$/)
      .and.not.equal(taskId);
    return service.waitForTask(json.taskId as string);
  }

  describe('publish', () => {
    let site: TeamSite;
    let draft: TaskView;
    let published: TaskView;
    before(async () => {
      site = await TeamSite.register(service, 'drafts');
      const body = citiesBody(['Lisbon', 'Porto']);
      const items = body.items.map((item, i) => ({ ...item, externalId: `row-${i}` }));
      draft = await site.run({ ...body, items });
      expect((await get(site.live('/locations/lisbon'))).status).to.equal(404);
      published = await follow(draft.taskId, 'publish');
    });

    it('is answered with the same task under the same Idempotency-Key, also when that has ended', async () => {
      const { taskId } = await site.run({
        prompt: 'Change the headline of /contact to "Say hello"',
      });
      const send = () =>
        service.request('POST', `/api/v1/agent/tasks/${taskId}/publish`, {
          headers: { 'idempotency-key': taskId },
        });
      const first = await send();
      await service.waitForTask(first.json.taskId as string);
      const again = await send();
      expect([again.status, again.json]).to.deep.equal([200, first.json]);
    });

    it('says what keeps a task from being published', async () => {
      const nothing = await site.run({
        prompt: 'Replace "Lisbon" with "Lisbon" on /locations/lisbon',
      });
      const failed = await site.run({ prompt: 'Make it pop' });
      const live = await site.run({
        prompt: 'Change the headline of /about to "Hello"',
        publish: true,
      });
      const answers = await Promise.all(
        [nothing, failed, live, published].map(
          async ({ taskId }) => (await post(taskId, 'publish')).text,
        ),
      );
      expect([nothing.status, failed.status, live.status]).to.deep.equal([
        'completed',
        'failed',
        'completed',
      ]);
      expect(answers).to.deep.equal([
        '{"error":"Task changed nothing: there is nothing to publish"}',
        '{"error":"Task failed: there is nothing to publish"}',
        '{"error":"Task is already published"}',
        '{"error":"Task is already published"}',
      ]);
    });

    it('fails, naming the page, where somebody changed it since', async () => {
      const task = await site.run({ prompt: 'Change the headline of /pricing to "Fair prices"' });
      const ours = site.source('pricing.html').replace('</body>', '<!-- ours --></body>');
      const head = site.push({ 'pricing.html': ours });
      expect(await follow(task.taskId, 'publish')).to.deep.include({
        status: 'failed',
        errorMessage: 'Page changed since the task began: /pricing',
      });
      expect(site.head()).to.equal(head);
    });
  });

  it('keeps a result without its preview: it can be published, compared and built on', async () => {
    const site = await TeamSite.register(service, 'unseen');
    const { taskId } = await site.run({ prompt: 'Change the headline of /about to "Unseen"' });
    const read = async () => outputOf(await service.readTask(taskId)).pagesModified[0]!;
    const { previewUrl } = await read();
    const diff = () => get(`/api/v1/agent/tasks/${taskId}/diff`);
    const compared = await diff();
    const remove = () => service.request('DELETE', `/api/v1/agent/tasks/${taskId}/preview`);
    expect([
      (await get(previewUrl!)).status,
      (await remove()).status,
      (await remove()).status,
    ]).to.deep.equal([200, 204, 204]);
    expect((await get(previewUrl!)).status).to.equal(404);
    expect(await read()).to.include({ slug: '/about', previewUrl: null, editUrl: null });
    expect((await diff()).text).to.equal(compared.text);
    const [page] = outputOf(await follow(taskId, 'publish')).pagesModified;
    expect(headlineOf((await get(page!.publishedUrl!)).text)).to.equal('Unseen');
    expect((await get(page!.previewUrl!)).status).to.equal(200);
    expect(page!.editUrl).to.equal(null);
    const later = { prompt: 'Change the headline of /about to "Seen"', baseTaskId: taskId };
    expect((await site.run(later)).status).to.equal('completed');
  });

  describe('baseTaskId', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'steps')));
    const headline = async (url: string) => headlineOf((await get(url)).text);

    it('still publishes where the earlier task went live, and others pushed, in between', async () => {
      const first = await site.run(citiesBody(['Turin']));
      const prompt = 'Change the headline of /locations/turin to "Turin, again"';
      const second = await site.run({ prompt, baseTaskId: first.taskId });
      await follow(first.taskId, 'publish');
      site.push({ 'note.html': '<!doctype html><title>Note</title><h1>Note</h1>' });
      const published = await follow(second.taskId, 'publish');
      expect(outputOf(published).pagesModified.map(({ slug }) => slug)).to.deep.equal([
        '/locations/turin',
      ]);
      expect(await headline(site.live('/locations/turin'))).to.equal('Turin, again');
      expect(await headline(site.live('/note'))).to.equal('Note');
    });

    it('is refused where there is nothing to build on', async () => {
      const failed = await site.run({ prompt: 'Make it pop' });
      const ask = async (baseTaskId: string, siteId = site.siteId) => {
        const { status, json } = await service.postTask({
          siteId,
          prompt: 'Delete /about',
          baseTaskId,
        });
        return [status, json.error as string];
      };
      expect(await ask(failed.taskId)).to.deep.equal([
        409,
        'Base task failed: there is no result to work on top of',
      ]);
      expect(await ask(`bg-${'0'.repeat(22)}`)).to.deep.equal([404, 'Base task not found']);
      expect(await ask(failed.taskId, service.demo.siteId)).to.deep.equal([
        400,
        'baseTaskId names a task of another site',
      ]);
      expect((await ask('../x'))[0]).to.equal(400);
    });
  });

  describe('retry', () => {
    it('is for generate_pages only', async () => {
      const failed = await service.waitForTask(await service.createTask({ prompt: 'Make it pop' }));
      const { status, json } = await post(failed.taskId, 'retry');
      expect([status, json]).to.deep.equal([
        409,
        { error: 'Task is of type prompt: only generate_pages can be retried' },
      ]);
    });
  });

  describe('cancel', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'stopped')));

    it('is refused once the task is publishing, which goes on', async () => {
      const gate = site.gate('refs/heads/main');
      const taskId = await site.create(citiesBody(['Graz'], { publish: true }));
      await gate.arrived();
      const { status, json } = await post(taskId, 'cancel');
      gate.open();
      expect(status).to.equal(409);
      expect(json.error).to.equal("Task is publishing or finished: it can't be cancelled any more");
      expect((await service.waitForTask(taskId)).status).to.equal('completed');
    });
  });
});
