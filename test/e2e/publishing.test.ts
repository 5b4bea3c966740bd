import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { crawl } from '../helpers/crawl.ts';
import { headlineOf, locationsOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';
import { onHoldNote } from '../../workflows/deployAndPublish.ts';

/** Notes as a later task tells them: they name the task that they came from. */
const ofTask = (task: string, notes: object[]) => notes.map((note) => ({ ...note, task }));

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
  const liveSitemap = async (site: TeamSite) =>
    locationsOf(await textOf(site.live('/sitemap.xml')));
  const addressOf = (slug: string) => `https://www.northwind.example${slug}`;

  /** Holds a task's first push, of its own commit, while `meanwhile` runs. */
  async function during(site: TeamSite, body: object, meanwhile: () => unknown): Promise<TaskView> {
    const gate = site.gate('refs/agent-tasks/');
    const taskId = await site.create(body);
    await gate.arrived();
    await meanwhile();
    gate.open();
    return service.waitForTask(taskId);
  }

  describe('a task with publish true', () => {
    let site: TeamSite;
    let view: TaskView;
    before(async () => {
      site = await TeamSite.register(service, 'live-cities');
      view = await site.run(citiesBody(['Lisbon', 'Porto'], { publish: true }));
    });

    it('has live pages at their published URLs and in the live sitemap', async () => {
      const { pagesCreated, warnings = [] } = outputOf(view);
      expect(pagesCreated.map(({ publishedUrl }) => publishedUrl)).to.deep.equal(
        ['/locations/lisbon', '/locations/porto'].map(site.live),
      );
      expect(warnings.join()).to.not.include('deployment');
      for (const { slug, publishedUrl } of pagesCreated) {
        expect(headlineOf(await textOf(publishedUrl!))).to.match(
          /^Web design in (Lisbon|Porto) that works$/,
        );
        expect(await liveSitemap(site)).to.include(addressOf(slug));
      }
    });

    it('keeps its previews', async () => {
      for (const { previewUrl, publishedUrl } of outputOf(view).pagesCreated)
        expect(await textOf(previewUrl!)).to.equal(await textOf(publishedUrl!));
    });

    it('is one commit on the production branch with a trailer, and changes only its own files', async () => {
      const log = git(site.remote, 'log', '--format=%(trailers:key=Agent-Task,valueonly)', 'main');
      expect(log.split('\n').filter(Boolean)).to.deep.equal([view.taskId]);
      expect(git(site.remote, 'diff', '--name-only', 'main~1', 'main').split('\n')).to.have.members(
        ['locations/lisbon.html', 'locations/porto.html', 'sitemap.xml'],
      );
    });
  });

  it('puts an earlier version of a site live again with a new commit', async () => {
    const site = await TeamSite.register(service, 'live-again');
    const first = site.head();
    const before = await crawl(site.live(''));
    await site.run({
      prompt: 'Change the headline of /pricing to "Too cheap". Delete /about',
      publish: true,
    });
    const second = site.head();
    expect(headlineOf(await textOf(site.live('/pricing')))).to.equal('Too cheap');
    const restore = (commit: string) =>
      service.request('POST', `/api/v1/sites/${site.siteId}/deployments/${commit}/restore`);
    expect((await restore(second)).status, 'what is live').to.equal(409);
    expect((await restore('0'.repeat(40))).status).to.equal(404);

    const started = await restore(first);
    expect(started.status, started.text).to.equal(200);
    const view = outputOf(await service.waitForTask(String(started.json['taskId'])));
    expect(view.pagesCreated).to.have.length(1);
    expect(view.pagesModified[0]).to.include({
      slug: '/pricing',
      publishedUrl: site.live('/pricing'),
    });
    expect(await crawl(site.live(''))).to.deep.equal(before);
    const third = site.head();
    expect([first, second]).to.not.include(third);
    expect(git(site.remote, 'rev-parse', 'main^')).to.equal(second);
    const { json } = await service.request('GET', `/api/v1/sites/${site.siteId}/deployments`);
    const listed = (json['deployments'] as { commit: string; isLive: boolean }[]).map((each) => [
      each.commit,
      each.isLive,
    ]);
    expect(listed).to.deep.equal([
      [third, true],
      [second, false],
      [first, false],
    ]);
  });

  describe('while somebody else pushes', () => {
    it('keeps the push and the task', async () => {
      const site = await TeamSite.register(service, 'race-push');
      const pushed = {
        'news.html': site.source('about.html'),
        'pricing.html': '<title>By hand</title>',
      };
      let hand = '';
      const view = await during(site, citiesBody(['Lisbon'], { publish: true }), async () => {
        const sitemap = site
          .source('sitemap.xml')
          .replace('</urlset>', `<url><loc>${addressOf('/news')}</loc></url></urlset>`);
        hand = site.push({ ...pushed, 'sitemap.xml': sitemap });
      });
      expect(outputOf(view).pagesCreated[0]!.publishedUrl).to.equal(site.live('/locations/lisbon'));
      expect(await textOf(site.live('/pricing'))).to.equal(pushed['pricing.html']);
      expect(await textOf(site.live('/news'))).to.equal(pushed['news.html']);
      expect(await statusOf(site.live('/locations/lisbon'))).to.equal(200);
      expect(await liveSitemap(site)).to.include.members([
        addressOf('/news'),
        addressOf('/locations/lisbon'),
      ]);
      git(site.remote, 'merge-base', '--is-ancestor', hand, 'main');
    });
  });

  it('holds pages with warnings until somebody publishes them with the same warnings', async () => {
    const site = await TeamSite.register(service, 'held');
    const held = await site.run(citiesBody(['Lisbon'], { publish: true, onWarnings: 'hold' }));
    const { pagesCreated, warnings = [], notes = [] } = outputOf(held);
    expect(pagesCreated[0]).to.include({ slug: '/locations/lisbon', publishedUrl: null });
    expect(await statusOf(pagesCreated[0]!.previewUrl!)).to.equal(200);
    expect(await statusOf(site.live('/locations/lisbon'))).to.equal(404);
    expect(notes.at(-1)).to.deep.include(onHoldNote(held.taskId));
    expect(notes.map(({ text }) => text)).to.deep.equal(warnings);

    const path = `/api/v1/agent/tasks/${held.taskId}/publish`;
    const published = await service.waitForTask(
      (await service.request('POST', path)).json.taskId as string,
    );
    const live = outputOf(published);
    expect(live.pagesCreated[0]!.publishedUrl).to.equal(site.live('/locations/lisbon'));
    expect(live.warnings).to.deep.equal(warnings.slice(0, -1));
    expect(live.notes).to.deep.equal(ofTask(held.taskId, notes.slice(0, -1)));
    expect(headlineOf(await textOf(site.live('/locations/lisbon')))).to.equal(
      'Web design in Lisbon that works',
    );

    const prompt = 'Change the headline of /pricing to "Simple prices"';
    const { pagesModified } = outputOf(
      await site.run({ prompt, publish: true, onWarnings: 'hold' }),
    );
    expect(pagesModified[0]!.publishedUrl, 'nothing to look at').to.equal(site.live('/pricing'));
  });
});
