import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { outputOf, specified } from '../helpers/views.ts';
import { CANCELLED } from '../../workflows/failures.ts';
import { notFailedError } from '../../src/tasks/retryTask.ts';
import { tooLateToCancel } from '../../src/temporal/tasks/taskClient.ts';

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

  /** How often a task's workflow asked for an activity. */
  async function scheduled(taskId: string, activity: string): Promise<number> {
    const client = await connectTemporal(service);
    const { events } = await client.workflow.getHandle(taskId).fetchHistory();
    await client.connection.close();
    return (events ?? []).filter(
      (e) => e.activityTaskScheduledEventAttributes?.activityType?.name === activity,
    ).length;
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

    it('puts the pages of a preview live with the same names and contents', async () => {
      const [before, after] = [outputOf(draft).pagesCreated, outputOf(published).pagesCreated];
      expect(before.map(({ publishedUrl }) => publishedUrl)).to.deep.equal([null, null]);
      expect(after.map(({ slug, externalId }) => [slug, externalId])).to.deep.equal([
        ['/locations/lisbon', 'row-0'],
        ['/locations/porto', 'row-1'],
      ]);
      for (const [i, { publishedUrl }] of after.entries()) {
        const live = await get(publishedUrl!);
        expect(live.status).to.equal(200);
        expect(live.text).to.equal((await get(before[i]!.previewUrl!)).text);
      }
      expect((await get(site.live('/sitemap.xml'))).text).to.include('/locations/porto');
    });
  });

  describe('baseTaskId', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'steps')));
    const headline = async (url: string) => headlineOf((await get(url)).text);

    it('builds on a preview, and publishes both tasks with the later one', async () => {
      const first = await site.run(citiesBody(['Oslo', 'Bergen']));
      const prompt = 'Change the headline of /locations/oslo to "Oslo, again"';
      const second = await site.run({ prompt, baseTaskId: first.taskId });
      const [page] = outputOf(second).pagesModified;
      expect(await headline(page!.previewUrl!)).to.equal('Oslo, again');
      expect(await headline(outputOf(first).pagesCreated[0]!.previewUrl!)).to.equal(
        'Web design in Oslo that works',
      );
      expect((await get(site.live('/locations/bergen'))).status).to.equal(404);

      const published = await follow(second.taskId, 'publish');
      expect(outputOf(published).pagesCreated.map(({ slug }) => slug)).to.have.members([
        '/locations/bergen',
        '/locations/oslo',
      ]);
      const edited = outputOf(published).pagesCreated.filter(({ editUrl }) => editUrl !== null);
      expect(edited.map(({ slug }) => slug)).to.deep.equal(['/locations/oslo']);
      expect(await headline(site.live('/locations/oslo'))).to.equal('Oslo, again');
      expect(await headline(site.live('/locations/bergen'))).to.equal(
        'Web design in Bergen that works',
      );
    });
  });

  describe('retry', () => {
    it('repeats a failed task without writing its pages again', async () => {
      const site = await TeamSite.register(service, 'retried');
      site.refuse('exit 1');
      const failed = await site.run(citiesBody(['Rome', 'Milan'], { publish: true }));
      expect(failed).to.include({ status: 'failed' });
      expect(await scheduled(failed.taskId, 'generatePage')).to.equal(2);
      site.refuse('exit 0');
      const retried = await follow(failed.taskId, 'retry');
      expect(outputOf(retried).pagesCreated.map(({ publishedUrl }) => publishedUrl)).to.deep.equal(
        ['/locations/rome', '/locations/milan'].map(site.live),
      );
      expect(headlineOf((await get(site.live('/locations/rome'))).text)).to.equal(
        'Web design in Rome that works',
      );
      expect(await scheduled(retried.taskId, 'generatePage')).to.equal(0);
      expect((await post(retried.taskId, 'retry')).json).to.deep.equal({
        error: notFailedError(true).message,
      });
    });
  });

  describe('cancel', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'stopped')));

    it('ends the work: the task fails as cancelled, and nothing of it is live', async () => {
      const head = site.head();
      const gate = site.gate('refs/agent-tasks/');
      const taskId = await site.create(citiesBody(['Vienna'], { publish: true }));
      await gate.arrived();
      const { status, json } = await post(taskId, 'cancel');
      gate.open();
      expect([status, json]).to.deep.equal([202, { taskId, status: 'running' }]);
      expect(specified(await service.waitForTask(taskId))).to.deep.equal({
        taskId,
        status: 'failed',
        errorMessage: CANCELLED,
      });
      expect(site.head()).to.equal(head);
      expect((await post(taskId, 'cancel')).json).to.deep.equal({
        error: tooLateToCancel('finished').message,
      });
    });
  });
});
