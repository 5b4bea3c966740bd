import { expect } from 'chai';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const path = 'a/b.html';
const gained = (source: string, before = '<p>a</p>') =>
  pageCalls.sideEffects({ path, source }, before).duplicates;
const ul = (...links: [href: string, text: string][]) =>
  `<ul>${links.map(([href, text]) => `<li><a href="${href}">${text}</a></li>`).join('\n')}</ul>`;
const nav = (...links: [href: string, text: string][]) => `<nav>${ul(...links)}</nav>`;

describe('findDuplicateLinks(page, file)', () => {
  it('finds two entries of a navigation that link to one page, however they name it', () => {
    const twice = { where: 'navigation', target: '/about', texts: ['About', 'About us'] };
    for (const [one, other] of [
      ['/about', '/about'],
      ['../about', '/about/'],
      ['/about.html', '/about/index.html'],
      ['/about?x=1', '/about'],
    ] as const)
      expect(
        gained(nav(['/', 'Home'], [one, 'About'], [other, 'About us'])),
        `${one} ${other}`,
      ).to.deep.equal([twice]);
    const flat =
      '<nav><a href="/">A</a> <a href="/about">About</a> | <a href="/about">About us</a></nav>';
    expect(gained(flat)).to.deep.equal([twice]);
    const inFooter = `<footer><nav>${ul(['/about', 'About'], ['/about', 'About us'])}</nav></footer>`;
    expect(gained(inFooter)).to.deep.equal([twice]);
    const below =
      '<nav><ul><li><a href="/s">S</a><ul><li><a href="/about">About</a></li></ul></li><li><a href="/about">About us</a></li></ul></nav>';
    expect(gained(below)).to.deep.equal([twice]);
  });

  for (const [name, source] of Object.entries({
    'places of one page': nav(['/a', 'A'], ['/a#team', 'Team'], ['#x', 'X'], ['/b', 'B']),
    'menus for phones and wide windows': `<nav>${ul(['/a', 'A'])}${ul(['/a', 'A'])}</nav>`,
    'a header and a footer': `<header>${nav(['/a', 'A'])}</header><footer>${nav(['/a', 'A'])}</footer>`,
    'links of languages': nav(['/', 'Start'], ['/', 'Deutsch (DE)'], ['/en/', 'EN'], ['/a', 'A']),
    'placeholders beside a link': `<footer>${ul(['#!', 'A'], ['#!', 'B'], ['/c', 'C'])}</footer>`,
    'links with a language':
      '<nav><a href="/">Start</a> <a href="/" hreflang="de">Diese Seite</a> <a href="/a">A</a></nav>',
    'the name of the site beside its entries': `<nav><a href="/">Acme</a>${ul(['/', 'Home'], ['/a', 'A'])}</nav>`,
    'toggles, mails and numbers': nav(
      ['#', 'A'],
      ['#', 'B'],
      ['mailto:a@b.c', 'M'],
      ['mailto:a@b.c', 'N'],
      ['tel:1', '1'],
      ['tel:1', '2'],
    ),
    'the picture and the title of one card': `<div><article><a href="/a"><img alt=""></a><h3><a href="/a">A</a></h3></article><article><a href="/b">B</a></article></div>`,
    'the same button on every card': `<div>${'<article><h3>A</h3><a href="/buy">Buy</a></article>'.repeat(3)}</div>`,
    'words of a text': '<p>See <a href="/a">A</a> and <a href="/a">again A</a>.</p>',
    sections: '<section><a href="/a">A</a></section><section><a href="/a">A</a></section>',
    'cards that lead to several pages each': `<ul>${'<li><a href="/a">A</a> <a href="/b">B</a></li>'.repeat(2)}<li><a href="/c">C</a></li></ul>`,
  }))
    it(`does not report ${name} as a duplicate entry`, () => {
      expect(gained(source)).to.deep.equal([]);
    });

  it('finds duplicates in lists, cards and rows that link to pages', () => {
    const twice = { where: 'list', target: '/a', texts: ['A', 'A again'] };
    expect(gained(ul(['/a', 'A'], ['/b', 'B'], ['/a', 'A again']))).to.deep.equal([twice]);
    const card = (href: string, text: string) =>
      `<article><img alt=""><h3><a href="${href}">${text}</a></h3></article>`;
    expect(
      gained(`<div>${card('/a', 'A')}${card('/b', 'B')}${card('/a', 'A again')}</div>`),
    ).to.deep.equal([twice]);
    const row = (href: string, text: string) =>
      `<tr><td>1</td><td><a href="${href}">${text}</a></td></tr>`;
    expect(
      gained(`<table>${row('/a', 'A')}${row('/b', 'B')}${row('/a', 'A again')}</table>`),
    ).to.deep.equal([twice]);
  });

  it('names a web address without its query', () => {
    const url = 'https://shop.example/x?token=secret';
    expect(gained(nav([url, 'Shop'], [`${url}2`, 'Buy']))).to.deep.equal([
      { where: 'navigation', target: 'https://shop.example/x', texts: ['Shop', 'Buy'] },
    ]);
  });

  it('reports only new duplicates', () => {
    const twice = nav(['/a', 'A'], ['/a', 'B'], ['/c', 'C']);
    expect(gained(twice, twice)).to.deep.equal([]);
    expect(gained(twice.replace('"/c"', '"/a"'), twice)).to.have.length(1);
    expect(gained(twice, nav(['/a', 'A'], ['/c', 'C']))).to.have.length(1);
    expect(gained(nav(['/a', 'A'], ['/c', 'C']), twice)).to.deep.equal([]);
    const cards = ul(['/buy', 'Buy'], ['/buy', 'Buy'], ['/ask', 'Ask']);
    expect(
      gained(
        cards.replace('"/ask"', '"/buy"').replace('</ul>', '<li><a href="/ask">Ask</a></li></ul>'),
        cards,
      ),
    ).to.deep.equal([]);
  });
});
