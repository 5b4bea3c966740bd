// Takes long: a whole task of a language model.
import { expect } from 'chai';
import { answersIn, byTurns, call, type Call } from '../helpers/modelTurns.ts';
import type { Asked } from '../helpers/modelServer.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const slug = '/pricing';
const edit = (edits: object[], more = {}) => call('edit_html', { slug, edits, ...more });
const amount = (from: string, to: string) => ({
  old: `<p class="amount">${from}</p>`,
  new: `<p class="amount">${to}</p>`,
});

/** All answers of the tools in the task. */
let answers: string[] = [];

const turns: ((asked: Asked) => Call[])[] = [
  () => [
    call('read_page', { slug }),
    call('read_html', { slug, around: 'Choose Starter' }),
    call('search', { text: 'Already have a site?' }),
    call('search', { text: '--radius', in: 'styles' }),
  ],
  () => [
    edit([amount('$9,600', '€9,600')]),
    edit([{ old: '<h3>Startre</h3>', new: '' }]),
    edit([
      { copy: [128, 133], after: 133 },
      { lines: [120, 121], new: '          <h1>Four prices</h1>' },
    ]),
    call('create_page', { slug: '/preise', from: slug, lang: 'de' }),
    call('create_page', { slug: '/team', from: '/about' }),
    call('edit_file', { path: 'assets/site.css', find: '--radius: ', replace: '--radius: 2' }),
  ],
  () => [
    edit([amount('€9,600', '$9,600')]),
    call('undo', { slug: '/preise' }),
    call('undo', { slug: '/preise' }),
    edit(
      [
        {
          old: '<li><a href="about">About</a></li> <li><a href="blog/">',
          new: '<li><a href="about">About</a></li> <li><a href="team">Team</a></li> <li><a href="blog/">',
        },
      ],
      { everywhere: true },
    ),
  ],
  (asked) => {
    answers = answersIn(asked);
    return [call('finish', { summary: 'A package, a team page and rounder corners.' })];
  },
];

describe('what a language model reads and edits in a whole task', function () {
  this.timeout(240_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await sharedModelService(byTurns(turns));
    site = await TeamSite.register(service, 'edits');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('is as it was quoted, and no byte beside it, on all pages; the answers say what is left', async () => {
    const before = site.show('pricing.html');
    const about = site.show('about.html');
    const output = outputOf(await site.run({ prompt: 'Four prices, and the team', publish: true }));
    expect(output.pagesCreated.map((page) => page.slug)).to.deep.equal(['/team']);
    const all = answers.join('\n=====\n');
    expect(all)
      .to.match(/129 \[1 of 3: lines 128-133\] h3 Starter/)
      .and.to.match(/\n132: .*Choose Starter/)
      .and.to.match(/\n\/pricing:215 .*Already have a site/)
      .and.to.match(/\nassets\/site\.css:\d+ --radius/)
      .and.to.match(/Error: the page has no such text as old; nearest are line 129: <h3>Starter/)
      .and.to.match(/Created \/preise in de; it and \/pricing name each other by hreflang/)
      .and.to.match(/The task made \/preise: it is gone/)
      .and.to.match(/The task made \/preise and took it away again/)
      .and.to.match(/\nAlso on 14 other pages/);
    const noted = 'still states "9600" in "USD"';
    expect(all.includes(`Note: /pricing: the structured data ${noted}`)).to.equal(
      all.includes(`No longer so: /pricing: the structured data ${noted}`),
    );
    const entry = /\s*<li><a href="[^"]*team">Team<\/a><\/li>/;
    expect(site.show('about.html').replace(entry, '')).to.equal(about);
    const card = /\n +<article class="card">[^]*?<\/article>/.exec(before)![0];
    const after = site.show('pricing.html').replace(entry, '');
    expect(after).to.equal(
      before
        .replace(card, () => card + card)
        .replace(/ +<h1>Three prices[^]*?<\/p>/, () => '          <h1>Four prices</h1>'),
    );
    expect(after).not.to.contain('hreflang');
    expect(site.show('team.html')).to.match(/<a href="team">Team<\/a>/);
  });
});
