// Takes long: a whole task of a language model.
import { expect } from 'chai';
import type { Asked } from '../helpers/modelServer.ts';
import { answersIn, call, type Call, idIn, turnsIn } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const austin = '/locations/austin';

const hours = (asked: Asked, days: string) => {
  const idOf = (field: string) =>
    idIn(asked, new RegExp(`(\\S+) \\S*openingHoursSpecification\\[1\\]\\.${field} `));
  return call('set_texts', {
    slug: austin,
    edits: [
      { id: idOf('dayOfWeek'), text: days },
      { id: idOf('closes'), text: '5:30 pm' },
    ],
  });
};

/** The id of a line in the outline of /pricing, which the model reads second. */
const idOn = ([, outline]: string[], line: RegExp) => line.exec(outline!)![1]!;

/** Writes a text of /pricing. */
const write = (asked: Asked, line: RegExp, text: string) =>
  call('set_texts', { slug: '/pricing', edits: [{ id: idOn(answersIn(asked), line), text }] });

const card = [
  'The start page of Rowan Books',
  'Bookshop',
  'Rowan Books',
  'A shop that sells.',
  'Go',
];
const turns: ((asked: Asked) => Call[])[] = [
  () => [
    call('read_page', { slug: austin }),
    call('read_page', { slug: '/pricing' }),
    call('read_page', { slug: '/services' }),
    call('read_page', { slug: '/about', part: 'chrome' }),
  ],
  (asked) => [
    hours(asked, 'Funday'),
    call('create_page', { slug: '/team', from: '/about' }),
    call('create_page', {
      slug: '/questions',
      from: '/pricing',
      sections: [idIn(asked, /(\S+) h2 Questions about money/)],
    }),
    call('set_texts', {
      slug: '/pricing',
      edits: [{ id: idIn(asked, /(\S+) description Three website/), text: 'Prices that stay.' }],
    }),
    write(asked, /(\S+) p \$9,600/, '€9,600'),
    write(asked, /(\S+) td \$9,600/, '€9,600'),
    call('remove_items', {
      slug: '/pricing',
      group: idOn(answersIn(asked), /\[(g\d+)\.0\] \S+ h3 Starter/),
      indexes: [2],
    }),
  ],
  (asked) => {
    const group = idIn(asked, /\[(g\d+)\.0\] \S+ img\(\/assets\/images\/work-bakery/);
    const count = textsOf(asked, group);
    return [
      write(asked, /(\S+) offers\[1\]\.price/, '9600 EUR'),
      hours(asked, 'Saturday and Sunday'),
      call('add_items', {
        slug: '/team',
        group: idIn(asked, /\[(g\d+)\.0\] \S+ a\(\/services\)/),
        after: 2,
        items: [['Team']],
        links: [['/team']],
        everywhere: true,
      }),
      call('add_items', { slug: '/services', group, after: 2, items: [card.slice(0, count)] }),
    ];
  },
  () => [call('finish', { summary: 'Hours, a team page, questions and a bookshop.' })],
];

/** How many texts the last member of a group has. */
function textsOf(asked: Asked, group: string): number {
  const outline = answersIn(asked).find((content) => content.includes(`[${group}.2*]`))!;
  const member = outline.slice(outline.indexOf(`[${group}.2*]`), outline.indexOf(`[/${group}]`));
  return member.trim().split('\n').length;
}

describe('what a language model is told of facts, through a whole task', function () {
  this.timeout(240_000);
  let service: Service;
  let site: TeamSite;
  let told: string[] = [];
  before(async () => {
    service = await sharedModelService((asked) => {
      told = answersIn(asked);
      return { calls: turns[turnsIn(asked)]!(asked) };
    });
    site = await TeamSite.register(service, 'facts');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('days, the current entry, data of parts that are left out, repeats and pictures', async () => {
    const prompt = 'New hours for Austin, a team page, a page of questions, and a bookshop';
    const output = outputOf(await site.run({ prompt, publish: true }));
    const all = told.join('\n');
    expect(all).to.match(/openingHoursSpecification\[1\]\.dayOfWeek Friday\n/);
    expect(all).to.contain('"Funday" is not understood here');
    expect(all).to.match(/og:description \(\S+\), twitter:description \(\S+\) followed/);
    expect(all).to.match(/ shows "work-dental.svg" \("The start page of Lantern Dental"\)/);
    expect(site.show('locations/austin.html')).to.match(
      /"dayOfWeek": \["Saturday", "Sunday"\],\s+"opens": "09:00",\s+"closes": "17:30"/,
    );
    const nav = /<nav[^]*?<\/nav>/.exec(site.show('team.html'))![0];
    expect(nav.match(/aria-current/g)).to.have.length(1);
    expect(nav).to.match(/<a[^>]* aria-current="page"[^>]*>Team<\/a>/);
    expect(site.show('questions.html')).to.contain('FAQPage').and.not.to.contain('"Offer"');
    const shows = '/pricing: a table cell still shows "$9,600"';
    const inDollars = '/pricing: the structured data still states "9600" in "USD"';
    for (const note of [shows, inDollars])
      expect(all).to.contain(`\nNote: ${note}`).and.to.contain(`\nNo longer so: ${note}`);
    expect(site.show('pricing.html')).to.match(/"price": "9600",\s+"priceCurrency": "EUR"/);
    expect(output.warnings).to.include.members([
      '/pricing: a table cell still names "Atlas", which was removed',
    ]);
    expect(output.warnings).not.to.include.members([shows, inDollars]);
    expect(output.warnings?.join('\n')).to.contain(
      '/services: the new item shows the image "work-dental.svg"',
    );
  });
});
