// Takes long: a site and its tasks for each way in which publishing meets somebody else.
import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { crawl } from '../helpers/crawl.ts';
import { headlineOf, locationsOf } from '../helpers/markup.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, modernPages, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { errorOf, outputOf } from '../helpers/views.ts';

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
    before(async () => {
      site = await TeamSite.register(service, 'live-cities');
      await site.run(citiesBody(['Lisbon', 'Porto'], { publish: true }));
    });

    it('is modified, not created, by a second task onto its page', async () => {
      const second = citiesBody(['Lisbon'], { publish: true });
      second.items[0]!.context = 'City: Lisbon\nHeadline: A second look at Lisbon';
      const { pagesCreated, pagesModified } = outputOf(await site.run(second));
      expect(pagesCreated).to.deep.equal([]);
      expect(pagesModified.map(({ slug }) => slug)).to.deep.equal(['/locations/lisbon']);
      expect(headlineOf(await textOf(pagesModified[0]!.publishedUrl!))).to.equal(
        'A second look at Lisbon',
      );
    });

    it('does not overwrite a page that a person made, or changed last', async () => {
      const hand = site.push({
        'locations/lisbon.html': site.source('locations/austin.html'),
      });
      for (const city of ['Denver', 'Lisbon'])
        expect(errorOf(await site.run(citiesBody([city], { publish: true })))).to.equal(
          `Page already exists: /locations/${city.toLowerCase()}`,
        );
      expect(site.head()).to.equal(hand);
    });
  });

  it('changes and deletes live pages as a prompt asks', async () => {
    const site = await TeamSite.register(service, 'live-prompt');
    const prompt = 'Change the headline of /pricing to "Simple prices". Delete /locations/denver';
    const { pagesModified, pagesDeleted } = outputOf(await site.run({ prompt, publish: true }));
    expect(pagesModified[0]!.publishedUrl).to.equal(site.live('/pricing'));
    expect(pagesDeleted).to.have.length(1);
    expect(headlineOf(await textOf(site.live('/pricing')))).to.equal('Simple prices');
    expect(await statusOf(site.live('/locations/denver'))).to.equal(404);
    expect((await liveSitemap(site)).join()).to.not.include('denver');
  });

  describe('what is live', () => {
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

    it('is told of a task, of those that it is built on, and of what replaced them; of deployments, with counts', async () => {
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
      expect([status, json]).to.deep.equal([409, { error: 'Task is already published' }]);
      const [now, first] = await deployments(site);
      const counts = { created: 2, modified: 1, deleted: 0 };
      expect(now).to.deep.include({
        isLive: true,
        taskId: published.taskId,
        restores: null,
        pages: counts,
      });
      expect(now!.name).to.equal('Change the headline of /locations/porto to "Porto by the river"');
      expect(first).to.include({ isLive: false, taskId: null, name: 'As the site was added' });

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

  it('works on a site without a sitemap that nobody here wrote', async () => {
    const site = await TeamSite.register(service, 'live-modern', modernPages);
    const items = [{ targetPageSlug: '/team', context: 'Headline: Our team' }];
    const body = { command: 'generate_pages', templatePageSlug: '/about', items, publish: true };
    const { pagesCreated } = outputOf(await site.run(body));
    expect(pagesCreated[0]!.publishedUrl).to.equal(site.live('/team'));
    expect(headlineOf(await textOf(site.live('/team')))).to.equal('Our team');
    expect(git(site.remote, 'diff', '--name-only', 'main~1', 'main')).to.equal('team.html');
  });

  it('brings four tasks on one site at the same time all live', async () => {
    const site = await TeamSite.register(service, 'live-four');
    const groups = [['Lisbon', 'Porto'], ['Madrid'], ['Lyon', 'Nantes', 'Metz'], ['Ghent']];
    const ids = await Promise.all(
      groups.map((group) => site.create(citiesBody(group, { publish: true }))),
    );
    const views = await Promise.all(ids.map((id) => service.waitForTask(id)));
    const pages = views.flatMap((view) => outputOf(view).pagesCreated);
    expect(pages).to.have.length(groups.flat().length);
    const sitemap = await liveSitemap(site);
    for (const { slug, publishedUrl } of pages) {
      expect(publishedUrl).to.equal(site.live(slug));
      expect(await statusOf(publishedUrl!), slug).to.equal(200);
      expect(
        sitemap.filter((loc) => loc === addressOf(slug)),
        slug,
      ).to.have.length(1);
    }
    const trailers = git(
      site.remote,
      'log',
      '--format=%(trailers:key=Agent-Task,valueonly)',
      'main',
    );
    for (const id of ids) expect(trailers).to.include(id);
  });

  describe('when somebody pushes meanwhile', () => {
    it('loses nothing of many pushes', async () => {
      const site = await TeamSite.register(service, 'race-many');
      const ids = await Promise.all(
        [['Lisbon'], ['Porto']].map((group) => site.create(citiesBody(group, { publish: true }))),
      );
      const pushed: string[] = [];
      const states = async () =>
        JSON.stringify(await Promise.all(ids.map((id) => service.readTask(id))));
      for (let i = 0, last = ''; i < 8; i++) {
        try {
          site.push({ [`by-hand-${i}.html`]: '<title>By hand</title>' });
          pushed.push(`by-hand-${i}.html`);
        } catch {
          // refused, because the service was faster: git tells the team member
        }
        last = await until('progress of a task, or its end', async () => {
          const now = await states();
          return (now !== last || !now.includes('"running"')) && now;
        });
      }
      for (const id of ids) outputOf(await service.waitForTask(id));
      expect(pushed).to.have.length.greaterThan(0);
      expect(site.files()).to.include.members([
        ...pushed,
        'locations/lisbon.html',
        'locations/porto.html',
      ]);
    });

    for (const publish of [true, false])
      it(`${publish ? 'fails' : 'does not fail'} a task ${publish ? 'with' : 'without'} publish whose page was changed`, async () => {
        const site = await TeamSite.register(service, `race-page-${publish}`);
        const prompt =
          'Change the headline of /pricing to "Simple prices" and the headline of /about to "Who we are"';
        const view = await during(site, { prompt, publish }, () =>
          site.push({ 'pricing.html': '<h1>By hand</h1>' }),
        );
        if (publish) expect(errorOf(view)).to.equal('Page changed since the task began: /pricing');
        else expect(outputOf(view).pagesModified).to.have.length(2);
        expect(site.show('pricing.html')).to.equal('<h1>By hand</h1>');
        expect(site.show('about.html')).to.equal(site.source('about.html'));
        expect(headlineOf(await textOf(site.live('/pricing')))).to.not.equal('Simple prices');
        expect(await textOf(site.live('/about'))).to.equal(site.source('about.html'));
      });

    it('fails a task whose new page a person made first', async () => {
      const site = await TeamSite.register(service, 'race-new');
      const view = await during(site, citiesBody(['Lisbon', 'Porto'], { publish: true }), () =>
        site.push({ 'locations/porto.html': '<h1>By hand</h1>' }),
      );
      expect(errorOf(view)).to.equal('Page changed since the task began: /locations/porto');
      expect(await statusOf(site.live('/locations/lisbon'))).to.equal(404);
      expect(site.files()).to.not.include('locations/lisbon.html');
    });
  });

  it('brings no junk of a context live, and says what was not used', async () => {
    const site = await TeamSite.register(service, 'junk');
    const context =
      'City: Oslo\nHeadline: <b>Web design</b> in Oslo\nPhone: #REF!\nEmail: not-an-email\nLead: {{lead}}';
    const items = [
      { targetPageSlug: '/locations/oslo', context },
      {
        targetPageSlug: '/locations/moss',
        context: 'City: Moss\nPhone: +47 22 33 44 55\nEmail: moss@northwind.example',
      },
    ];
    const body = { command: 'generate_pages', templatePageSlug: '/locations/austin', items };
    const { siteId } = site;
    const check = await service.request('POST', '/api/v1/agent/tasks/check', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ siteId, ...body }),
    });
    const [oslo, moss] = check.json.items as { remarks: { value: string; severity: string }[] }[];
    expect(check.json.ok).to.equal(true);
    expect(oslo!.remarks.map(({ value, severity }) => [value, severity])).to.have.deep.members([
      ['<b>Web design</b> in Oslo', 'warning'],
      ['#REF!', 'error'],
      ['not-an-email', 'error'],
      ['{{lead}}', 'error'],
    ]);
    expect(moss!.remarks).to.deep.equal([]);
    const { notes = [] } = outputOf(await site.run({ ...body, publish: true }));
    expect(notes.flatMap(({ kind, value }) => (kind === 'unused' ? [value] : []))).to.have.members([
      '#REF!',
      'not-an-email',
      '{{lead}}',
    ]);
    const page = await textOf(site.live('/locations/oslo'));
    expect(headlineOf(page)).to.equal('Web design in Oslo');
    expect(page).to.not.match(/#REF!|not-an-email|\{\{lead|&lt;b|tel:"/);
    expect(page).to.contain('href="tel:+15125550142"').and.contain('href="mailto:');
    const good = await textOf(site.live('/locations/moss'));
    expect(good)
      .to.contain('href="tel:+4722334455"')
      .and.contain('href="mailto:moss@northwind.example"');
    expect(good).to.not.contain('5550142').and.not.contain('austin@');
  });

  it('holds what the rules deleted, moved, or linked to a new host, and publishes it with these notes', async () => {
    const site = await TeamSite.register(service, 'held-rules');
    const deeds: [prompt: string, kind: string][] = [
      ['Delete /blog', 'deleted'],
      ['Move /about to /company', 'moved'],
      ['Change the link "Pricing" on /contact to https://partner.example/prices', 'host'],
    ];
    for (const [prompt, kind] of deeds) {
      const held = await site.run({ prompt, publish: true, onWarnings: 'hold' });
      const { notes = [], pagesCreated, pagesModified } = outputOf(held);
      expect(notes.at(-1)!.kind, prompt).to.equal('unpublished');
      expect(
        notes.map((note) => note.kind),
        prompt,
      ).to.include(kind);
      for (const { publishedUrl } of [...pagesCreated, ...pagesModified])
        expect(publishedUrl).to.equal(null);
      const path = `/api/v1/agent/tasks/${held.taskId}/publish`;
      const published = await service.waitForTask(
        (await service.request('POST', path)).json.taskId as string,
      );
      expect(outputOf(published).notes, prompt).to.deep.equal(
        ofTask(held.taskId, notes.slice(0, -1)),
      );
    }
  });

  it('completes a task without a live URL, and with a warning, where the production deployment fails', async () => {
    const site = await TeamSite.register(service, 'rewritten');
    git(site.clone, 'commit', '-q', '--amend', '-m', 'Rewritten');
    git(site.clone, 'push', '-q', '--force', 'origin', 'HEAD:main');
    const before = await crawl(site.live(''));
    const { pagesCreated, warnings } = outputOf(
      await site.run(citiesBody(['Lisbon'], { publish: true })),
    );
    expect(pagesCreated[0]).to.include({ slug: '/locations/lisbon', publishedUrl: null });
    expect(warnings!.at(-1)).to.match(
      /^The production deployment failed: .*the production branch was rewritten /,
    );
    expect(await statusOf(pagesCreated[0]!.previewUrl!)).to.equal(200);
    expect(site.files()).to.include('locations/lisbon.html');
    expect(await crawl(site.live(''))).to.deep.equal(before);

    const listed = async () => {
      const { json } = await service.request('GET', '/api/v1/sites?limit=100');
      return (json['sites'] as { siteId: string; liveUrl: string; deployment: object }[]).find(
        ({ siteId }) => siteId === site.siteId,
      );
    };
    expect(await listed()).to.deep.include({ name: 'rewritten', liveUrl: site.live('/') });
    expect((await listed())!.deployment).to.include({ state: 'failed', commit: site.head() });

    const deployed = await answerOf(service.dataDir, 'site', 'deploy', '--site', site.siteId);
    expect(deployed).to.deep.equal({ siteId: site.siteId, commit: site.head() });
    expect(await statusOf(site.live('/locations/lisbon'))).to.equal(200);
    expect((await listed())!.deployment).to.include({
      state: 'live',
      commit: site.head(),
      taskId: null,
    });
  });

  it('fails a task whose base the production branch has lost, and puts nothing live', async () => {
    const site = await TeamSite.register(service, 'rewritten-late');
    const view = await during(site, citiesBody(['Lisbon'], { publish: true }), async () => {
      git(site.clone, 'commit', '-q', '--amend', '-m', 'Rewritten');
      git(site.clone, 'push', '-q', '--force', 'origin', 'HEAD:main');
    });
    expect(errorOf(view)).to.equal(
      'The production branch was rewritten since the task began: its commits are gone',
    );
    expect(await statusOf(site.live('/locations/lisbon'))).to.equal(404);
    expect(site.files()).to.not.include('locations/lisbon.html');
  });

  it("fails with the remote's reason where the branch is protected, and keeps the previews", async () => {
    const site = await TeamSite.register(service, 'protected');
    const head = site.head();
    site.refuse(
      'while read old new ref; do if [ "$ref" = refs/heads/main ]; then echo "Only by pull request" >&2; exit 1; fi; done',
    );
    const view = await site.run(citiesBody(['Lisbon'], { publish: true }));
    expect(errorOf(view)).to.equal(
      'The push to branch main was refused: pre-receive hook declined: Only by pull request',
    );
    const preview = `http://${view.taskId}--protected.preview.localhost:${service.port}/locations/lisbon`;
    expect(headlineOf(await textOf(preview))).to.equal('Web design in Lisbon that works');
    expect(site.head()).to.equal(head);
    expect(await statusOf(site.live('/locations/lisbon'))).to.equal(404);
  });
});
