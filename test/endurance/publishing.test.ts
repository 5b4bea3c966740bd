// Takes long: a site and its tasks for each way in which publishing meets somebody else.
import { expect } from 'chai';
import { headDeploymentNames } from '../../src/hosting/hosting.ts';
import { ALREADY_PUBLISHED } from '../../src/tasks/publishTask.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { errorOf } from '../helpers/views.ts';

describe('publishing on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const statusOf = async (url: string) => (await service.request('GET', url)).status;
  const textOf = async (url: string) => (await service.request('GET', url)).text;

  describe('the live state', () => {
    interface Told {
      live: boolean;
      publication: {
        state: string;
        publishedBy: string;
        replacedBy: string | null;
        livePages: string[];
      } | null;
      base: { taskId: string; previewUrl: string } | null;
    }
    const get = async (path: string) =>
      (await service.request('GET', `/api/v1${path}`)).json as never;
    const told = async (taskId: string): Promise<Told> => get(`/agent/tasks/${taskId}`);
    const listed = async (site: TeamSite) =>
      (
        await (get(`/agent/tasks?siteId=${site.siteId}`) as Promise<{
          tasks: (Told & { taskId: string })[];
        }>)
      ).tasks;
    interface Deployed {
      deploymentId: string;
      name: string;
      taskId: string | null;
      restores: string | null;
      pages: object;
      isLive: boolean;
    }
    const deployments = async (site: TeamSite) =>
      (await (get(`/sites/${site.siteId}/deployments`) as Promise<{ deployments: Deployed[] }>))
        .deployments;
    const publish = async (taskId: string) => {
      const { json } = await service.request('POST', `/api/v1/agent/tasks/${taskId}/publish`);
      return service.waitForTask(String(json['taskId']));
    };

    it('is reported for a task, its base tasks and what replaced them, and for deployments with counts', async () => {
      const site = await TeamSite.register(service, 'what-is-live');
      const base = await site.run(citiesBody(['Lisbon', 'Porto'], { title: 'Two cities' }));
      const top = await site.run({
        prompt: 'Change the headline of /locations/porto to "Porto by the river"',
        baseTaskId: base.taskId,
      });
      expect(await told(base.taskId)).to.deep.include({
        live: false,
        publication: null,
        base: null,
      });
      const before = (await told(top.taskId)).base!;
      expect(before.taskId).to.equal(base.taskId);
      expect(
        headlineOf(await textOf(new URL('/locations/porto', before.previewUrl).href)),
      ).to.include('that works');

      const check = await get(`/agent/tasks/${top.taskId}/publish`);
      const pushed = { count: 1, slugs: ['/pricing'] };
      const both = { count: 2, slugs: ['/locations/lisbon', '/locations/porto'] };
      expect(check)
        .to.have.property('pages')
        .that.deep.equals({ count: 1, slugs: ['/locations/porto'] });
      expect(check)
        .to.have.property('tasks')
        .that.deep.equals([{ taskId: base.taskId, title: 'Two cities', pages: both }]);
      site.push({
        'pricing.html': site.source('pricing.html').replace('</h1>', ' by hand</h1>'),
      });
      expect(await get(`/agent/tasks/${top.taskId}/publish`))
        .to.have.property('pushed')
        .that.deep.includes({ modified: pushed });

      const published = await publish(top.taskId);
      for (const taskId of [base.taskId, top.taskId, published.taskId]) {
        const { live, publication } = await told(taskId);
        expect(publication, taskId).to.include({ publishedBy: published.taskId });
        expect(live, taskId).to.equal(taskId !== base.taskId || publication!.state === 'live');
      }
      expect((await told(top.taskId)).base).to.equal(null);
      const { json, status } = await service.request(
        'POST',
        `/api/v1/agent/tasks/${base.taskId}/publish`,
      );
      expect([status, json]).to.deep.equal([409, { error: ALREADY_PUBLISHED }]);
      const [now, first] = await deployments(site);
      const counts = { created: 2, modified: 1, deleted: 0 };
      expect(now).to.deep.include({
        isLive: true,
        taskId: published.taskId,
        restores: null,
        pages: counts,
      });
      expect(now!.name).to.equal('Change the headline of /locations/porto to "Porto by the river"');
      expect(first).to.include({
        isLive: false,
        taskId: null,
        name: headDeploymentNames.first,
      });

      const later = await site.run({ prompt: 'Delete /locations/lisbon', publish: true });
      expect((await told(base.taskId)).publication).to.deep.include({
        state: 'partly-live',
        replacedBy: later.taskId,
        livePages: ['/locations/porto'],
      });
      expect(await told(later.taskId)).to.deep.include({ live: true });

      const path = `/sites/${site.siteId}/deployments/${first!.deploymentId}/restore`;
      expect(await get(path)).to.deep.include({
        created: { count: 0, slugs: [] },
        modified: pushed,
        deleted: { count: 1, slugs: ['/locations/porto'] },
      });
      const restored = await service.waitForTask(
        String((await service.request('POST', `/api/v1${path}`)).json['taskId']),
      );
      const [restoring] = await deployments(site);
      expect(restoring).to.deep.include({
        taskId: restored.taskId,
        isLive: true,
        pages: { created: 0, modified: 1, deleted: 1 },
      });
      expect(restoring!.name).to.match(
        /^Restored: version of [A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d UTC$/,
      );
      for (const taskId of [base.taskId, top.taskId, published.taskId, later.taskId]) {
        const { live, publication } = await told(taskId);
        const isGone = taskId !== later.taskId;
        expect(live, taskId).to.equal(!isGone);
        if (isGone) expect(publication, taskId).to.include({ replacedBy: restored.taskId });
      }

      await service.waitForTask(
        String(
          (
            await service.request(
              'POST',
              `/api/v1${path.replace(first!.deploymentId, now!.deploymentId)}`,
            )
          ).json['taskId'],
        ),
      );
      for (const taskId of [base.taskId, top.taskId, published.taskId])
        expect((await told(taskId)).live, taskId).to.equal(true);
      const entry = (await listed(site)).find(({ taskId }) => taskId === top.taskId)!;
      expect(entry).to.deep.include({ live: true, pages: 1 });
    });
  });

  it("fails with the remote's reason if the branch is protected, and keeps the previews", async () => {
    const site = await TeamSite.register(service, 'protected');
    const head = site.head();
    site.refuse(
      'while read old new ref; do if [ "$ref" = refs/heads/main ]; then echo "Only by pull request" >&2; exit 1; fi; done',
    );
    const view = await site.run(citiesBody(['Lisbon'], { publish: true }));
    expect(errorOf(view)).to.equal(
      'The push to branch main was rejected: pre-receive hook declined: Only by pull request',
    );
    const preview = `http://${view.taskId}--protected.preview.localhost:${service.port}/locations/lisbon`;
    expect(headlineOf(await textOf(preview))).to.equal('Web design in Lisbon that works');
    expect(site.head()).to.equal(head);
    expect(await statusOf(site.live('/locations/lisbon'))).to.equal(404);
  });
});
