import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const markdownPages = fileURLToPath(new URL('../helpers/team/markdownSite/', import.meta.url));
const path = 'content/about.md';

describe('a site whose pages are in Markdown', function () {
  this.timeout(180_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'in-markdown', markdownPages);
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('lists its pages, and no document of its repository', async () => {
    const { json } = await service.request('GET', `/api/v1/sites/${site.siteId}/pages`);
    const pages = json.pages as { slug: string; template: boolean }[];
    expect(pages.map(({ slug, template }) => [slug, template])).to.deep.equal([
      ['/content', true],
      ['/content/about', true],
      ['/content/locations/austin', true],
      ['/content/notes/first', true],
    ]);
  });

  it('gets only the bytes of a new heading and a new title changed', async () => {
    const before = site.source(path, markdownPages);
    const view = await site.run({
      prompt:
        'On /content/about, set the title to "Who we are: Northwind"\nOn /content/about, change the headline to "Meet our team"',
      publish: true,
    });
    expect(view.status, JSON.stringify(view)).to.equal('completed');
    const [page] = outputOf(view).pagesModified;
    expect(git(site.remote, 'diff', '--name-only', 'main~1', 'main').trim()).to.equal(path);
    expect(git(site.remote, 'show', `main:${path}`)).to.equal(
      before
        .replace('About Northwind', 'Who we are: Northwind')
        .replace('About  our', 'Meet  our')
        .trim(),
    );
    const live = await service.request('GET', page!.publishedUrl!);
    expect(live.text)
      .to.include('Plain rendering')
      .and.match(/<h1>.*Meet.*<.h1>/);
  });

  it('gets a new page from a template in Markdown, at its own address', async () => {
    const template = 'content/locations/austin.md';
    const view = await site.run({
      command: 'generate_pages',
      templatePageSlug: '/content/locations/austin',
      linkFrom: '/content',
      items: [
        {
          targetPageSlug: '/content/locations/lisbon',
          context: 'City: Lisbon\nTelephone: +351 210 000 000\nAward: Best of Lisbon 2025',
        },
      ],
      publish: true,
    });
    expect(view.status, JSON.stringify(view)).to.equal('completed');
    const { pagesCreated, notes } = outputOf(view);
    const today = git(site.remote, 'log', '-1', '--format=%as', 'main').trim();
    const changes: [before: string, after: string][] = [
      ['title: "Web design in Austin"', 'title: "Web design in Lisbon"'],
      ['for shops in Austin', 'for shops in Lisbon'],
      ['slug: austin', 'slug: lisbon'],
      ['2024-01-02', today],
      ['aliases:\n  - /texas\n', ''],
      ['# Web design in Austin', '# Web design in Lisbon'],
      ['[512-555-0100](tel:+15125550100)', '[+351 210 000 000](tel:+351210000000)'],
      ['#prices-in-austin', '#prices-in-lisbon'],
      ['## Prices in Austin', '## Prices in Lisbon'],
    ];
    const source = changes.reduce(
      (text, [before, after]) => {
        expect(text).to.include(before);
        return text.replace(before, after);
      },
      site.source(template, markdownPages),
    );
    const path = 'content/locations/lisbon.md';
    expect(git(site.remote, 'show', `main:${path}`)).to.equal(source.trim());
    const list = site.source('content/_index.md', markdownPages);
    const entry = '- [Austin](locations/austin.md): for shops';
    expect(git(site.remote, 'show', 'main:content/_index.md')).to.equal(
      list.replace(entry, `${entry}\n- [Lisbon](locations/lisbon.md): for shops`).trim(),
    );
    expect(
      git(site.remote, 'diff', '--name-only', 'main~1', 'main').trim().split('\n'),
    ).to.have.members(['content/_index.md', path]);
    const [page] = pagesCreated;
    expect(page!.publishedUrl).to.equal(site.live('/content/locations/lisbon'));
    for (const url of [page!.previewUrl!, page!.publishedUrl!])
      expect((await service.request('GET', url)).text)
        .to.include('Plain rendering')
        .and.match(/<h1>.*Web design in Lisbon.*<.h1>/);
    const texts = notes!.map(({ text }) => text).join('\n');
    expect(texts, texts)
      .to.include('the price of the template: "$900"')
      .and.match(/values of the context were not used: .*"Best of Lisbon 2025"/)
      .and.include('the front matter says "draft: true"');
  });
});
