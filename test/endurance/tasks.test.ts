// Takes long: whole tasks, one for each kind of instruction.
import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { crawl } from '../helpers/crawl.ts';
import { headlineOf, locationsOf, skeleton, titleOf } from '../helpers/markup.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, modernPages, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

describe('tasks on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  describe('on a site that nobody here wrote', () => {
    it('make pages with its layout, and leave it as it was', async () => {
      const site = await TeamSite.register(service, 'modern', modernPages);
      const before = await crawl(site.live(''), await pathsOf(site));
      const { pagesCreated } = outputOf(
        await site.run({
          command: 'generate_pages',
          templatePageSlug: '/about',
          items: [
            { targetPageSlug: '/about-us', context: '# Who we are\n\nWe repair bicycles.' },
            {
              targetPageSlug: '/about/team',
              context: '{"title": "Our team", "headline": "The people"}',
            },
          ],
        }),
      );
      const [about, team] = await Promise.all(
        pagesCreated.map(({ previewUrl }) => service.request('GET', previewUrl!)),
      );
      const template = skeleton(site.source('about.html', modernPages));
      expect(skeleton(about!.text)).to.deep.equal(template);
      expect(headlineOf(about!.text)).to.equal('Who we are');
      expect(titleOf(team!.text)).to.equal('Our team');
      expect(headlineOf(team!.text)).to.equal('The people');
      expect(await crawl(site.live(''), await pathsOf(site))).to.deep.equal(before);
    });
  });

  describe('with a prompt', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'prompts')));
    const prompt = (text: string) => site.run({ prompt: text });
    const fileOf = (view: TaskView, path: string) =>
      site.show(path, `refs/agent-tasks/${view.taskId}`);

    it('replace a text on every page that shows it, and in no address', async () => {
      const view = await prompt('Replace "Northwind Studio" with "Southwind Atelier" everywhere');
      const slugs = outputOf(view).pagesModified.map(({ slug }) => slug);
      expect(slugs).to.include.members(['/', '/pricing', '/blog', '/services/web-design', '/404']);
      for (const path of site.files().filter((file) => file.endsWith('.html'))) {
        const [old, now] = [site.source(path), fileOf(view, path)];
        expect(now, path).to.equal(old.replaceAll('Northwind Studio', 'Southwind Atelier'));
      }
    });

    it('delete a page, and name the pages whose links break', async () => {
      const view = await prompt('Delete /locations/denver');
      const { pagesDeleted, pagesModified, warnings } = outputOf(view);
      expect(pagesDeleted).to.deep.equal([
        { slug: '/locations/denver', previewUrl: null, editUrl: null, publishedUrl: null },
      ]);
      expect(pagesModified).to.deep.equal([]);
      const linking = (await Promise.all(site.files().map(async (path) => [path, site.show(path)])))
        .filter(([path, text]) => path!.endsWith('.html') && /href="[^"]*denver"/.test(text!))
        .map(([path]) => `/${path!.replace(/(^|\/)index\.html$|\.html$/, '')}`)
        .filter((slug) => slug !== '/locations/denver');
      expect(linking).to.have.length.greaterThan(1);
      expect(warnings).to.have.length(2);
      for (const slug of linking) expect(warnings![0]).to.include(slug);
      expect(warnings![1]).to.equal('/locations/denver: the page was deleted');
      expect(locationsOf(fileOf(view, 'sitemap.xml')).join()).to.not.include('denver');
      const { origin } = new URL(
        `http://${view.taskId}--prompts.preview.localhost:${service.port}`,
      );
      expect((await service.request('GET', `${origin}/locations/denver`)).status).to.equal(404);
      expect((await service.request('GET', `${origin}/locations/austin`)).status).to.equal(200);
    });

    it('carry out several instructions at once', async () => {
      const view = await prompt(
        'Change the title of /about to \'About the studio\' and its headline to “Who we are”.\n- Replace "Ruth" with "Rita" on /locations/austin\n- Delete /contact',
      );
      const { pagesModified, pagesDeleted } = outputOf(view);
      expect(pagesModified.map(({ slug }) => slug)).to.have.members([
        '/about',
        '/locations/austin',
      ]);
      expect(pagesDeleted.map(({ slug }) => slug)).to.deep.equal(['/contact']);
      const about = fileOf(view, 'about.html');
      expect([titleOf(about), headlineOf(about)]).to.deep.equal(['About the studio', 'Who we are']);
      expect(fileOf(view, 'locations/austin.html')).to.equal(
        site.source('locations/austin.html').replaceAll('Ruth', 'Rita'),
      );
      expect(site.files(`refs/agent-tasks/${view.taskId}`).includes('contact.html')).to.equal(
        false,
      );
    });

    it('complete with empty lists where everything is as asked already, and say what is', async () => {
      const pricing = site.source('pricing.html');
      const [title, headline] = [titleOf(pricing), headlineOf(pricing)];
      const view = await prompt(
        `Change the title of /pricing to "${title}" and the headline to "${headline}". Change the link "Pricing" on / to /pricing`,
      );
      const { notes, ...output } = outputOf(view);
      const warnings = [
        `/pricing: the title is already "${title}"`,
        `/pricing: the headline is already "${headline}"`,
        '/: the target of the link "Pricing" is already "/pricing"',
      ];
      expect(output).to.deep.equal({
        pagesCreated: [],
        pagesModified: [],
        pagesDeleted: [],
        warnings,
      });
      expect(notes?.map(({ kind, text }) => `${kind}: ${text}`)).to.deep.equal(
        warnings.map((text) => `as-asked: ${text}`),
      );
      expect(git(site.remote, 'for-each-ref', `refs/agent-tasks/${view.taskId}`)).to.equal('');
    });

    it('fail where the page is not there', async () => {
      expect(await prompt('Delete /nowhere')).to.include({ status: 'failed' });
      expect(
        await site.run(citiesBody(['Lisbon'], { templatePageSlug: '/nowhere' })),
      ).to.deep.include({
        status: 'failed',
        errorMessage: 'Template page not found: /nowhere',
      });
    });
  });
});

const pathsOf = async (site: TeamSite) => site.files().map((path) => `/${path}`);
