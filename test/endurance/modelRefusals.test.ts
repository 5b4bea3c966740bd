// Takes long: whole tasks of a language model.
import { expect } from 'chai';
import type { Asked, Reply } from '../helpers/modelServer.ts';
import { byTurns, call, type Call } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { errorOf, outputOf } from '../helpers/views.ts';

const banner = '<div class="wrap"><p>Closed on Friday. <a href="contact">Write to us</a></p></div>';

const prompt = 'Put a banner above every page, and link the team';
const question = 'Already have a site?';
const turns: ((asked: Asked) => Call[])[] = [
  () => [
    call('list_files', { folder: '/assets' }),
    call('read_html', { slug: '/pricing', around: '<header' }),
  ],
  () => [
    call('edit_html', {
      slug: '/',
      edits: [
        {
          old: '<header class="site-header">',
          new: `${banner}\n<header class="site-header">`,
        },
      ],
      everywhere: true,
    }),
    call('edit_html', {
      slug: '/pricing',
      edits: [{ old: question, new: `<a href="about">${question}</a>` }],
    }),
  ],
  () => [call('finish', { summary: 'A banner, and a link more.' })],
];

/** How often a page was asked for. */
const asksFor = new Map<string, number>();

/** The answer for a page: the first one for Lisbon leads to a page that there is not. */
function page({ messages }: Asked): string {
  const [request] = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [, slug] = /The new page is "([^"]+)"/.exec(request!)!;
  const city = slug!.endsWith('lisbon') ? 'Lisbon' : 'Porto';
  const times = (asksFor.get(slug!) ?? 0) + 1;
  asksFor.set(slug!, times);
  const lines = [...request!.matchAll(/^(?:\[\S+\] )*(s\S+) \S+[^\n"]* \d+ (".*")$/gm)];
  const [, question] = /^(g\d+) question 4/m.exec(request!)!;
  const gone = new RegExp(`\\[${question}\\.[24]\\]`);
  const texts = lines.flatMap(([line, id, quoted]) => {
    const text = JSON.parse(quoted!) as string;
    const now = text.replaceAll('Austin', city).replace('+1 512 555 0142', '+351 21 555 0101');
    return now === text || gone.test(line) ? [] : [{ id: id!, text: now }];
  });
  const [, link] = /^link:(s\d+) "\/contact"/m.exec(request!)!;
  const other = city === 'Lisbon' ? '/locations/porto' : 'https://porto.example/book';
  const target = city === 'Lisbon' && times === 1 ? '/locations/nowhere' : other;
  return JSON.stringify({
    texts,
    groups: [{ id: question, members: 2, keep: [1, 3] }],
    links: [{ id: link, target }],
  });
}

function answer(asked: Asked): Reply {
  if (asked.tools.length === 0) return { text: page(asked) };
  return byTurns(turns)(asked);
}

describe('what was refused to language models once', function () {
  this.timeout(240_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await sharedModelService(answer);
    site = await TeamSite.register(service, 'refusals');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('a banner on every page, and a link of words: through a whole task, published', async () => {
    const output = outputOf(await site.run({ prompt, publish: true }));
    expect(output.pagesCreated).to.deep.equal([]);
    expect(output.pagesModified.length).to.be.above(10);
    const paths = site.files().filter((path) => path.endsWith('.html'));
    for (const path of paths) {
      const html = site.show(path);
      expect(html.indexOf('Closed on Friday'), path)
        .to.be.above(-1)
        .and.below(html.indexOf('<header'));
    }
    const pricing = site.show('pricing.html');
    expect(pricing).to.match(/<a href="[^"]*about[^"]*">Already have a site\?<\/a> A <a/);
  });

  it('links of new pages, to each other too, and members that stay by their number', async () => {
    const items = [
      { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon\nPhone: +351 21 555 0101' },
      {
        targetPageSlug: '/locations/porto',
        context: 'City: Porto\nPhone: +351 21 555 0101\nBooking: https://porto.example/book',
      },
    ];
    const view = await site.run({
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items,
      publish: true,
    });
    expect(view.status, JSON.stringify(view)).to.equal('completed');
    expect(outputOf(view).pagesCreated.map(({ slug }) => slug)).to.have.members(
      items.map(({ targetPageSlug }) => targetPageSlug),
    );
    expect(Object.fromEntries(asksFor)).to.deep.equal({
      '/locations/lisbon': 2,
      '/locations/porto': 1,
    });
    const [lisbon, porto] = items.map(({ targetPageSlug }) =>
      site.show(`${targetPageSlug.slice(1)}.html`),
    );
    expect(lisbon).to.match(/<a [^>]*href="(?:\/locations\/|\.\/)?porto"/);
    expect(porto).to.contain('href="https://porto.example/book"');
    const questions = (html: string) => html.match(/<summary>/g)?.length;
    expect([questions(lisbon!), questions(porto!)]).to.deep.equal([2, 2]);
  });

  it('a link to a host of its own fails the page, which says so', async () => {
    const view = await site.run({
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [{ targetPageSlug: '/en/porto', context: 'City: Porto' }],
    });
    expect(errorOf(view)).to.match(
      /leads to "https:\/\/porto\.example\/book", which neither the context nor the template gives/,
    );
  });
});
