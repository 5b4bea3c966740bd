// Takes long: a whole task of a language model.
import { expect } from 'chai';
import type { Asked } from '../helpers/modelServer.ts';
import { answersIn, byTurns, call, type Call, idIn } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

/** All answers of the tools in the task. */
let answers: string[] = [];

const turns: ((asked: Asked) => Call[])[] = [
  () => [
    call('read_page', { slug: '/' }),
    call('read_page', { part: 'head' }),
    call('search', { text: 'website', slug: '/pricing' }),
    call('replace_colour', { from: '#1f4d43', to: '#224466' }),
  ],
  (asked) => {
    const after = idIn(asked, /(s\d+) h2 Small studio/);
    return [
      call('insert_section', { slug: '/', after, html: '<p>One table for all of us.</p>' }),
      call('insert_section', {
        slug: '/',
        after,
        html: '<h2><span>New people</span></h2><p>Ann came in May.</p>',
      }),
    ];
  },
  (asked) => {
    const id = idIn(asked, /(n\d+) h2 New people/);
    return [
      call('set_texts', { slug: '/', edits: [{ id, text: 'New at the table' }] }),
      call('read_section', { slug: '/', id: idIn(asked, /(n\d+) p Ann came/) }),
    ];
  },
  (asked) => {
    answers = answersIn(asked);
    return [call('finish', { summary: 'A paragraph, a section and a colour.' })];
  },
];

describe('what a language model inserts, searches and reads in a whole task', function () {
  this.timeout(240_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await sharedModelService(byTurns(turns));
    site = await TeamSite.register(service, 'sections');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  it('stands in the wrapper of its neighbours, and the answers say where, and what is left', async () => {
    const prompt = 'Say that we share a table, add a section on new people, and change the green';
    const output = outputOf(await site.run({ prompt, publish: true }));
    expect(output.pagesModified.map(({ slug }) => slug)).to.deep.equal(['/']);
    const all = answers.join('\n=====\n');
    expect(all)
      .to.match(/\/pricing lang en; canonical https:\/\//)
      .and.to.match(/: \/pricing s\d+/)
      .and.to.match(/#1f4d43 still stands in 13 pictures: /)
      .and.to.match(/Inserted p in div\.section-head, behind h2 \(s\d+ "Small studio, whole job"\)/)
      .and.to.match(
        /Inserted section\.section > div\.wrap in main, behind section\S* \(s\d+ "Small/,
      )
      .and.to.match(/HTML of the section n\d+, \d+ characters:\s+<section class="section">/);
    const home = site.show('index.html');
    expect(home)
      .to.match(/whole job<\/h2>\s+<p>One table for all of us\.<\/p>/)
      .and.to.match(
        /<section class="section">\s+<div class="wrap">\s+<h2><span>New at the table<\/span><\/h2><p>Ann/,
      );
  });
});
