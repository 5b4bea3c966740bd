import { expect } from 'chai';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';
import { corpus } from '../../../corpus.ts';

const path = 'team/index.html';
const body = (content: string) =>
  `<!doctype html><html><head><title>T</title></head><body>${content}</body></html>`;
const item = (name: string, says = name) => `\n  <li><a href="${name}">${says}</a></li>`;
const list = (...items: string[]) => body(`<h1>Team</h1><ul>${items.join('')}\n</ul><p>End</p>`);
const merge = (before: string, task: string, theirs: string, names: string[]) =>
  pageCalls.mergeLinks({
    before,
    task,
    page: { path, source: theirs },
    slugs: names.map((name) => `/team/${name}`),
  });
const card = (name: string, more = '') =>
  `<div class="card" id="${name}"><h3>${name}</h3><a href="#${name}">Up</a><a href="${name}">More</a>${more}</div>`;

describe('links of a task in a page that others changed in the meantime', () => {
  const [before, ada, bob] = [list(item('ada'), item('bob')), item('ada'), item('bob')];

  it('are put behind those of another task', () => {
    const task = list(ada, bob, item('cy'), item('dan'));
    expect(merge(before, task, list(ada, bob, item('eve')), ['cy', 'dan'])).to.deep.equal({
      source: list(ada, bob, item('eve'), item('cy'), item('dan')),
      skipped: [],
    });
  });

  it('keep edits by hand', () => {
    const task = list(ada, bob, item('cy', 'Cyrus & Co'));
    const theirs = list(ada, bob, item('eve')).replace('Team', 'Our team');
    expect(merge(before, task, theirs, ['cy'])?.source).to.equal(
      list(ada, bob, item('eve'), item('cy', 'Cyrus & Co')).replace('Team', 'Our team'),
    );
  });

  it('move with their neighbours', () => {
    const theirs = body(`<ol>${bob}\n</ol><h1>New</h1>`);
    expect(merge(before, list(ada, bob, item('cy')), theirs, ['cy'])).to.deep.equal({
      source: body(`<ol>${bob}${item('cy')}\n</ol><h1>New</h1>`),
      skipped: [],
    });
  });

  it('are added at several positions, one beside the other', () => {
    const two = (a: string, b: string) =>
      body(`<ul>${ada}${a}\n</ul><div>${card('ada')}${b}</div>`);
    const task = two(item('cy'), card('dan'));
    const merged = merge(two('', ''), task, two(item('eve'), ''), ['cy', 'dan']);
    expect(merged).to.deep.equal({
      source: two(item('eve') + item('cy'), card('dan')),
      skipped: [],
    });
  });

  it('are not added twice', () => {
    const theirs = body(`<p>See <a href="cy">Cy</a></p><ul>${ada}${bob}\n</ul>`);
    expect(merge(before, list(ada, bob, item('cy')), theirs, ['cy'])).to.deep.equal({
      source: theirs,
      skipped: [],
    });
  });

  it('get IDs that the page does not have yet', () => {
    const page = (...cards: string[]) => body(`<div>${cards.join('')}</div>`);
    const task = page(card('ada'), card('bob'), card('cy'));
    const theirs = page(card('ada'), card('bob'), card('eve', '<i id="cy"></i>'));
    const source = merge(page(card('ada'), card('bob')), task, theirs, ['cy'])!.source;
    expect(source).to.contain('id="cy-2"><h3>cy</h3><a href="#cy-2">Up</a><a href="cy">More</a>');
  });

  it('are named and left out if none of their neighbours exists', () => {
    for (const theirs of [
      '',
      body('<p>Gone</p>'),
      body('<table><tr><td><a href="ada">Ada</a></td></tr></table>'),
    ])
      expect(merge(before, list(ada, bob, item('cy')), theirs, ['cy'])).to.deep.equal({
        source: theirs,
        skipped: ['/team/cy'],
      });
  });

  it("can't be added if the task changed more than the links", () => {
    const theirs = list(ada, bob, item('eve'));
    const cy = list(ada, bob, item('cy'));
    expect(merge(before, cy.replace('End', 'The end'), theirs, ['cy'])).to.equal(null);
    expect(merge(before, cy.replace('Team', 'Our team'), theirs, ['cy'])).to.equal(null);
    expect(merge(before, list(ada, item('cy')), theirs, ['cy'])).to.equal(null);
    expect(merge(before, cy, theirs, ['dan'])).to.equal(null);
    expect(merge(before, list(ada, item('bob', 'Bobby')), theirs, ['cy'])).to.equal(null);
  });

  it('are found wherever the demo site links to a page, in any order of two tasks', () => {
    const { pages, paths } = corpus[0]!;
    const austin = { slug: '/locations/austin', path: 'locations/austin.html', names: ['austin'] };
    for (const name of ['index.html', 'locations/index.html']) {
      const page = pages.find((one) => one.path === name)!;
      const add = (source: string, city: string) => {
        const items = [
          { file: { slug: `/locations/${city}`, path: `locations/${city}.html` }, texts: {} },
        ];
        return pageCalls.addLinks({
          page: { path: name, source },
          siblings: [],
          template: austin,
          items,
          sitePaths: paths,
        });
      };
      const [one, two] = [add(page.source, 'lisbon'), add(page.source, 'porto')];
      const merged = pageCalls.mergeLinks({
        before: page.source,
        task: two,
        page: { path: name, source: one },
        slugs: ['/locations/porto'],
      });
      expect(merged).to.deep.equal({ source: add(one, 'porto'), skipped: [] });
    }
  });
});
