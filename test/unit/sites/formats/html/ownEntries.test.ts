import { expect } from 'chai';
import fc from 'fast-check';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { casesOf } from '../../../../helpers/cases.ts';
import { inShort, makePage } from '../../../agents/rules/page/makePage.ts';
import { staleChoice } from '../../../../../src/sites/formats/html/checks/subjectTraces.ts';

const shops = ['Bath', 'Derby', 'Leeds', 'York'];
const pathOf = (shop: string) => `shops/${shop.toLowerCase()}.html`;
const pageOf = (shop: string, content: string): PageSource => ({
  path: pathOf(shop),
  source: `<!doctype html><html lang="en"><head><title>Kites in ${shop}</title></head><body><main><h1>Kites in ${shop}</h1>${content}</main></body></html>`,
});

/** Lists of shops as sites write them, on the page of a shop; null: on the page of none. */
const lists: Record<string, (all: string[], own: string | null) => string> = {
  'a select': (all, own) =>
    `<select name="shop">${all.map((shop) => `<option value="${shop.toLowerCase()}"${shop === own ? ' selected' : ''}>${shop}</option>`).join('')}</select>`,
  'a select without values': (all, own) =>
    `<select>${all.map((shop) => `<option${shop === own ? ' selected' : ''}>${shop}</option>`).join('\n')}</select>`,
  'a menu of addresses': (all, own) =>
    `<select>${all.map((shop) => `<option value="/shops/${shop.toLowerCase()}"${shop === own ? ' selected' : ''}>${shop}</option>`).join('')}</select>`,
  'radio buttons': (all, own) =>
    `<form>${all.map((shop) => `<label><input type="radio" name="shop" value="${shop}"${shop === own ? ' checked' : ''}> ${shop}</label>`).join('\n')}</form>`,
  'a list of links': (all, own) =>
    `<ul>${all.map((shop) => `<li${shop === own ? ' class="active"' : ''}><a href="${shop.toLowerCase()}.html">${shop}</a></li>`).join('')}</ul>`,
  'a list whose own entry is no link': (all, own) =>
    `<ul>${all.map((shop) => (shop === own ? `<li><strong>${shop}</strong></li>` : `<li><a href="${shop.toLowerCase()}.html">${shop}</a></li>`)).join('\n')}</ul>`,
  'a row of links': (all) =>
    `<p>${all.map((shop) => `<a href="/shops/${shop.toLowerCase()}">${shop}</a>`).join(' | ')}</p>`,
  'a table': (all, own) =>
    `<table>${all.map((shop) => `<tr${shop === own ? ' class="active"' : ''}><td>${shop}</td></tr>`).join('')}</table>`,
  cards: (all) =>
    `<div>${all.map((shop) => `<div class="card"><h3><a href="${shop.toLowerCase()}.html">${shop}</a></h3><p>Our shop in ${shop}.</p></div>`).join('')}</div>`,
};

/** The entries of a page's list: its texts, with where each leads, and the chosen one. */
const entriesIn = (page: PageSource) => {
  const links = new Map(pageCalls.links(page).map(({ text, slug }) => [text, slug]));
  const texts = pageCalls.read(page).slots.flatMap(({ text, level, role }) => {
    const plain = text.replace(/<\/?\d+\/?>/g, '').trim();
    return role === 'title' || level === 1 || /^Our shop/.test(plain) ? [] : [plain];
  });
  const [, chosen = ''] = /(?:selected|checked)[^>]*>\s*([^<\n]*)/.exec(page.source) ?? [];
  return { texts, links, chosen: chosen.trim() };
};

/** The page of a new shop made of another one, beside the pages of the other shops. */
function newPage(of: (all: string[], own: string | null) => string, all: string[], from: string) {
  const [template, ...siblings] = [from, ...all.filter((shop) => shop !== from)].map((shop) =>
    pageOf(shop, of(all, shop)),
  );
  const sitePaths = all.map(pathOf);
  const made = makePage(template!, {
    context: 'City: Hull',
    slug: '/shops/hull',
    siblings,
    sitePaths,
  });
  return { ...made, template: template!, page: { path: pathOf('Hull'), source: made.html } };
}

describe('a list of all pages on a new page', () => {
  for (const [name, of] of Object.entries(lists))
    it(`has all and the new page: ${name}`, () => {
      fc.assert(
        fc.property(fc.subarray(shops, { minLength: 2 }), fc.nat(), (all, at) => {
          const from = all[at % all.length]!;
          const { page, template, faults } = newPage(of, all, from);
          const [before, after] = [entriesIn(template), entriesIn(page)];
          expect(after.texts).to.deep.equal([...before.texts, 'Hull']);
          for (const shop of before.links.size > 0 ? all : [])
            expect(after.links.get(shop)).to.equal(`/shops/${shop.toLowerCase()}`);
          if (before.chosen !== '') expect(after.chosen).to.equal('Hull');
          expect(page.source).not.to.match(/value="hull"[^>]*>(?!\s*Hull)/i);
          expect(faults).to.deep.equal([]);
        }),
        { numRuns: casesOf(20) },
      );
    });

  it('stays as it is where it has the new page already, which is chosen', () => {
    const all = [...shops, 'Hull'];
    const { page } = newPage(lists['a select']!, all, 'Derby');
    expect(entriesIn(page)).to.deep.include({ texts: all, chosen: 'Hull' });
  });

  it('is found if the addresses spell the names of the pages in another way', () => {
    const towns = ['München', 'Tromsø', 'Москва'];
    const slugs: Record<string, string> = {
      München: 'muenchen',
      Tromsø: 'tromso',
      Москва: 'moskva',
    };
    const file = (town: string): PageSource => {
      const options = towns.map(
        (one) => `<option${one === town ? ' selected' : ''}>${one}</option>`,
      );
      const { source } = pageOf(town, `<select>${options.join('')}</select>`);
      return { path: `shops/${slugs[town]}.html`, source };
    };
    for (const town of towns) {
      const siblings = towns.filter((one) => one !== town).map(file);
      const made = makePage(file(town), { context: 'City: Hull', slug: '/shops/hull', siblings });
      const page = { path: pathOf('Hull'), source: made.html };
      expect(entriesIn(page)).to.deep.include({ texts: [...towns, 'Hull'], chosen: 'Hull' });
    }
  });

  it('is noted where the form sends a number for the page', () => {
    const numbered = (all: string[], own: string | null) =>
      `<select name="shop">${all.map((shop, i) => `<option value="${i}"${shop === own ? ' selected' : ''}>${shop}</option>`).join('')}</select>`;
    const { page, template } = newPage(numbered, shops, 'Derby');
    expect(entriesIn(page).texts).to.deep.equal(shops);
    const { staleDetails: beside } = pageCalls.check({
      path: page.path,
      before: template,
      after: page.source,
      sitePaths: [],
      removed: [],
      mayAddLinks: false,
    });
    expect(beside).to.deep.equal([staleChoice({ field: 'shop', text: 'Derby' })]);
  });

  it('is not one if only the template has it: a trail, and links beside a text', () => {
    const trail = (_: string[], own: string | null) =>
      `<ol><li><a href="/">Home</a></li><li><a href="/shops">Shops</a></li><li><a href="/shops/${own?.toLowerCase()}">${own}</a></li></ol>`;
    expect(entriesIn(newPage(trail, shops, 'Derby').page).texts).to.deep.equal([
      'Home',
      'Shops',
      'Hull',
    ]);
  });
});

describe('a text that is not about the template', () => {
  const history = 'We began in Derby in 1998, and opened Leeds in 2004.';
  const told = (notes: Parameters<typeof inShort>[0]) =>
    inShort(notes.filter(({ kind }) => kind === 'template'));

  it('is kept and noted if the other pages have it too', () => {
    const shared = 'Our wood comes from Derby.';
    const { html, notes } = newPage(() => `<p>${shared}</p>`, shops, 'Derby');
    expect(html).to.contain(shared);
    expect(told(notes)).to.deep.equal([`template: ${shared}`]);
  });

  it('keeps its links to the template', () => {
    const shared =
      'Visit us in <a href="/shops/derby">Derby</a> and <a href="/shops/york">York</a>.';
    const { html } = newPage(() => `<p>${shared}</p>`, shops, 'Derby');
    expect(html).to.contain(shared);
  });

  it('is kept in a list of suggestions, which a note names', () => {
    const list = `<datalist id="t">${shops.map((shop) => `<option value="${shop}">`).join('')}</datalist>`;
    const { html, beside } = newPage(() => list, shops, 'Derby');
    expect(html).to.contain(list);
    expect(beside.join()).to.contain('"Derby"');
  });

  it('is kept and noted if it tells what began there, by the sentence', () => {
    const content = `<p>${history} We love Derby.</p>`;
    const { html, notes } = makePage(pageOf('Derby', content), {
      context: 'City: Hull',
      slug: '/shops/hull',
    });
    expect(html).to.contain(`${history} We love Hull.`);
    expect(told(notes)).to.deep.equal([`template: ${history}`]);
  });

  it('is rewritten if no other page has it', () => {
    const { html, notes } = newPage((_, own) => `<p>We love ${own}.</p>`, shops, 'Derby');
    expect(html).to.contain('We love Hull.');
    expect(told(notes)).to.deep.equal([]);
  });
});
