import { expect } from 'chai';
import type { TaskProgress, TaskView } from '../../src/contract/task.ts';
import { type CrawledPages, crawl } from '../helpers/crawl.ts';
import {
  canonicalOf,
  headlineOf,
  locationsOf,
  ogUrlOf,
  skeleton,
  titleOf,
} from '../helpers/markup.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const cities = 'Lisbon Porto Madrid Sevilla Lyon Nantes Ghent Bruges Turin Verona'.split(' ');
const slugs = cities.map((city) => `/locations/${city.toLowerCase()}`);
describe('tasks on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  describe('that create ten pages from one template', () => {
    let site: TeamSite;
    let untouched: CrawledPages;
    let head: string;
    let created: Reply;
    const progress: TaskProgress[] = [];
    let view: TaskView;
    const pages = new Map<string, string>();

    before(async () => {
      site = await TeamSite.register(service, 'ten-cities');
      [untouched, head] = [await crawl(site.live(''), await pathsOf(site)), site.head()];
      const gate = site.gate('refs/agent-tasks/');
      created = await service.postTask({ siteId: site.siteId, ...citiesBody(cities) });
      await gate.arrived();
      const { taskId } = created.json as { taskId: string };
      await until('the progress of all pages', async () => {
        const running = await service.readTask(taskId);
        if (running.status === 'running' && running.progress) progress.push(running.progress);
        return progress.at(-1)?.pages?.done === cities.length;
      });
      gate.open();
      view = await service.waitForTask(taskId);
      for (const { slug, previewUrl } of outputOf(view).pagesCreated) {
        const reply = await service.request('GET', previewUrl!);
        pages.set(slug, reply.status === 200 ? reply.text : `${reply.status}`);
      }
    });

    it('show their progress while they run', () => {
      expect(progress.at(-1)).to.deep.equal({
        phase: 'committing',
        pages: { done: 10, total: 10 },
      });
    });

    it('complete with the ten pages in the requested order, and without a live URL', () => {
      const { pagesCreated, pagesModified, pagesDeleted } = outputOf(view);
      expect(pagesCreated.map(({ slug }) => slug)).to.deep.equal(slugs);
      expect([...pagesModified, ...pagesDeleted]).to.deep.equal([]);
      for (const page of pagesCreated) {
        expect(page).to.have.all.keys('slug', 'previewUrl', 'editUrl', 'publishedUrl');
        const editUrl = `http://localhost:${service.port}/edit/${view.taskId}${page.slug}`;
        expect(page).to.include({ editUrl, publishedUrl: null });
      }
    });

    it('give each page its own title, headline and address', () => {
      for (const [i, slug] of slugs.entries()) {
        const page = pages.get(slug)!;
        expect(titleOf(page), slug).to.include(cities[i]).and.not.include('Austin');
        expect(headlineOf(page), slug).to.equal(`Web design in ${cities[i]} that works`);
        for (const address of [canonicalOf(page), ogUrlOf(page)])
          expect(address, slug).to.equal(`https://www.northwind.example${slug}`);
      }
      expect(new Set([...pages.values()].map(titleOf)).size).to.equal(10);
    });

    it('keep every tag, attribute and white space of the template', () => {
      const template = skeleton(site.source('locations/austin.html'));
      expect(template.length).to.be.greaterThan(300);
      for (const [slug, page] of pages) expect(skeleton(page), slug).to.deep.equal(template);
    });

    it('add the pages to the sitemap of the preview, and change no other file', async () => {
      const ref = `refs/agent-tasks/${view.taskId}`;
      const before = locationsOf(site.show('sitemap.xml'));
      const after = locationsOf(site.show('sitemap.xml', ref));
      const added = slugs.map((slug) => `https://www.northwind.example${slug}`);
      expect(after).to.have.members([...before, ...added]);
      const changed = git(site.remote, 'diff', '--name-only', head, ref);
      expect(changed.split('\n')).to.have.members([
        'sitemap.xml',
        ...slugs.map((slug) => `${slug.slice(1)}.html`),
      ]);
      const served = await service.request('GET', new URL('/sitemap.xml', previewOf(view)).href);
      expect(locationsOf(served.text)).to.deep.equal(after);
    });

    it('have previews that show the whole site, hidden from search engines', async () => {
      const files = (await pathsOf(site)).filter((path) => !/sitemap|robots/.test(path));
      const preview = await crawl(new URL(previewOf(view)).origin, files);
      for (const path of files) expect(preview.get(path), path).to.equal(untouched.get(path));
      const { headers } = await service.request('GET', previewOf(view));
      expect(headers['x-robots-tag']).to.include('noindex');
      const robots = await service.request('GET', new URL('/robots.txt', previewOf(view)).href);
      expect(robots.text).to.match(/^Disallow: \/$/m);
    });

    it('leave the live site and the production branch unchanged to the last byte', async () => {
      expect(untouched.size).to.be.greaterThan(25);
      expect(await crawl(site.live(''), await pathsOf(site))).to.deep.equal(untouched);
      expect(site.head()).to.equal(head);
      for (const slug of slugs)
        expect((await service.request('GET', site.live(slug))).status).to.equal(404);
    });
  });

  describe('with a prompt', () => {
    let site: TeamSite;
    before(async () => void (site = await TeamSite.register(service, 'prompts')));
    const prompt = (text: string) => site.run({ prompt: text });
    const fileOf = (view: TaskView, path: string) =>
      site.show(path, `refs/agent-tasks/${view.taskId}`);

    it('change the headline and nothing else', async () => {
      const view = await prompt('Change the headline of /pricing to "Simple prices & <b>more</b>"');
      const { pagesModified, pagesCreated, pagesDeleted } = outputOf(view);
      expect(pagesModified.map(({ slug }) => slug)).to.deep.equal(['/pricing']);
      expect([...pagesCreated, ...pagesDeleted]).to.deep.equal([]);
      const { text } = await service.request('GET', pagesModified[0]!.previewUrl!);
      const source = site.source('pricing.html');
      const headline = /(<h1[^>]*>)[\s\S]*?(?=<\/h1>)/;
      expect(text).to.equal(
        source.replace(headline, '$1Simple prices &amp; &lt;b&gt;more&lt;/b&gt;'),
      );
    });

    it('create, move and link pages with one prompt, and show the new ones in the preview', async () => {
      const view = await prompt(
        'Create /locations/rome for Rome from /locations/austin. Move /about to /company. Change the link "Web design in Denver" on / to /locations/rome',
      );
      const { pagesCreated, pagesModified, pagesDeleted } = outputOf(view);
      expect(pagesCreated.map(({ slug }) => slug)).to.have.members(['/company', '/locations/rome']);
      expect(pagesDeleted.map(({ slug }) => slug)).to.deep.equal(['/about']);
      expect(pagesModified.map(({ slug }) => slug)).to.include.members([
        '/',
        '/pricing',
        '/services/web-design',
      ]);
      const texts = new Map<string, string>();
      for (const { slug, previewUrl } of [...pagesCreated, ...pagesModified]) {
        const { status, text } = await service.request('GET', previewUrl!);
        expect(status, slug).to.equal(200);
        expect(text, slug).to.not.match(/href="[^"]*\babout"/);
        texts.set(slug, text);
      }
      expect(headlineOf(texts.get('/locations/rome')!)).to.equal('Web design in Rome');
      expect(canonicalOf(texts.get('/company')!)).to.equal('https://www.northwind.example/company');
      expect(texts.get('/')).to.include('<a href="locations/rome">Web design in Denver</a>');
      const locations = locationsOf(fileOf(view, 'sitemap.xml'));
      expect(locations).to.include('https://www.northwind.example/company');
      expect(locations).to.include('https://www.northwind.example/locations/rome');
      expect(locations.join('\n')).to.not.match(/\/about$/m);
    });

    it('change nothing if one instruction is not understood, and fail with the list of understood ones', async () => {
      const view = await prompt('Delete /contact. Make it pop');
      expect(view).to.not.have.property('output');
      expect(view).to.include({ status: 'failed' });
      const { errorMessage } = view as Extract<TaskView, { status: 'failed' }>;
      expect(errorMessage).to.match(
        /^Nothing was changed\b.*"Make it pop".*: http:\/\/[^ ]+\/docs\/prompts$/,
      );
      expect(git(site.remote, 'for-each-ref', `refs/agent-tasks/${view.taskId}`)).to.equal('');
    });
  });
});

const previewOf = (view: TaskView) => outputOf(view).pagesCreated[0]!.previewUrl!;
const pathsOf = async (site: TeamSite) => site.files().map((path) => `/${path}`);
