import { expect } from 'chai';
import type { PageSource } from '../../../../../../src/sites/formats/format.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const body = (content: string) =>
  `<!doctype html><html><head><title>T</title></head><body>${content}</body></html>`;
const template = { slug: '/team/ada', path: 'team/ada.html', names: ['Ada Lovelace', 'ada'] };
const question = (content: string, path = 'index.html', siblings: PageSource[] = []) => ({
  page: { path, source: body(content) },
  siblings,
  template,
});
const file = (name: string) => ({ slug: `/team/${name}`, path: `team/${name}.html` });

/** The texts of the block for the template, null for none. */
const blockIn = (...asked: Parameters<typeof question>) =>
  pageCalls.linkBlock(question(...asked)).block?.slots.map(({ text }) => text) ?? null;

/** The content with a block for each name, whose texts are set by what they read now. */
function added(
  content: string,
  names: string[],
  texts: Record<string, string> = {},
  path = 'index.html',
) {
  const asked = question(content, path);
  const { slots } = pageCalls.linkBlock(asked).block ?? expect.fail('No block');
  const written = slots.flatMap(({ id, text }) => (text in texts ? [[id, texts[text]!]] : []));
  const items = names.map((name) => ({ file: file(name), texts: Object.fromEntries(written) }));
  const after = pageCalls.addLinks({ ...asked, items, sitePaths: [] });
  return after.slice(body('').indexOf('<body>') + 6, -'</body></html>'.length);
}

describe('the block of a page that links to a template', () => {
  it('is a card, a list item or a table row among others', () => {
    const card = (href: string, name: string) =>
      `<div class="col"><div class="card"><h3>${name}</h3><p>Says ${name}</p><a href="${href}">More</a></div></div>`;
    expect(
      blockIn(`<div>${card('/team/ada', 'Ada')}${card('/team/bob', 'Bob')}</div>`),
    ).to.deep.equal(['Ada', 'Says Ada', 'More']);
    expect(
      blockIn('<ul><li><a href="team/ada">Ada</a><li><a href="team/bob">Bob</a></ul>'),
    ).to.deep.equal(['Ada']);
    expect(
      blockIn(
        '<table><tr><td><a href="/team/ada.html">Ada</a><td>1<tr><td><a href="/team/bob.html">Bob</a><td>2</table>',
      ),
    ).to.deep.equal(['Ada', '1']);
  });

  it('is a card or an item that stands alone, if no other links anywhere', () => {
    expect(blockIn('<main><ul><li><a href="/team/ada">Ada</a></li></ul></main>')).to.deep.equal([
      'Ada',
    ]);
    expect(blockIn('<article><h2>Ada</h2><a href="/team/ada">More</a></article>')).to.deep.equal([
      'Ada',
      'More',
    ]);
    expect(blockIn('<div class="card big"><a href="/team/ada">Ada</a></div>')).to.deep.equal([
      'Ada',
    ]);
  });

  it('is the one that names the template, not a row of buttons inside it, nor a block that only mentions it', () => {
    const buttons =
      '<div><a class="btn" href="/team/ada">More</a><a class="btn" href="/contact">Contact</a></div>';
    const cards = (name: string) => `<article><h3>${name}</h3>${buttons}</article>`;
    expect(blockIn(cards('Ada Lovelace') + cards('Bob'))).to.deep.equal([
      'Ada Lovelace',
      'More',
      'Contact',
    ]);
    const list =
      '<ul><li><a href="/team/ada">Ada</a></li><li><a href="/team/bob">Bob</a></li></ul>';
    expect(blockIn(`<ul><li>See <a href="/team/ada">here</a></li></ul>${list}`)).to.deep.equal([
      'Ada',
    ]);
  });

  it('is not in the navigation, a sentence, a question, or a row about several pages', () => {
    const list =
      '<ul><li><a href="/team/ada">Ada</a></li><li><a href="/team/bob">Bob</a></li></ul>';
    for (const content of [
      `<nav>${list}</nav><p>x</p>`,
      `<footer>${list}</footer>`,
      '<p>Ask <a href="/team/ada">Ada</a>.</p>',
      '<dl><dt>Mail<dd>x@y.example<dt>Team<dd><a href="/team/ada">Ada</a> and <a href="/team/bob">Bob</a></dl>',
      '<details><summary>Who?</summary><a href="/team/ada">Ada</a></details><details><summary>How?</summary><a href="/x">x</a></details>',
      '<ul><li><a href="/team/bob">Bob</a></li></ul>',
      '',
    ])
      expect(blockIn(content), content).to.equal(null);
  });

  it('is not in the chrome of every page', () => {
    const list =
      '<div class="foot"><ul><li><a href="/team/ada">Ada</a></li><li><a href="/team/bob">Bob</a></li></ul></div>';
    const contents = [
      '<h1>a</h1>',
      '<table><tr><td>b</td></tr></table>',
      '<section><h2>c</h2><ol><li>d</li></ol></section>',
    ];
    const siblings = contents.map((content, i) => ({
      path: `${i}.html`,
      source: body(content + list),
    }));
    expect(blockIn(`<h1>x</h1><p>y</p>${list}`, 'index.html', siblings)).to.equal(null);
  });

  it('is returned with the pages that the content links to', () => {
    const content =
      '<nav><a href="/n">n</a></nav><p><a href="./x">x</a> <a href="https://y.example/">y</a> <a href="/z/">z</a></p>';
    expect(pageCalls.linkBlock(question(content)).linked).to.deep.equal(['/x', '/z']);
  });
});

describe('lists for search engines', () => {
  const data = (type: string, entry: object) =>
    `<script type="application/ld+json">${JSON.stringify({ '@graph': [{ '@type': type, itemListElement: [entry] }] })}</script>`;
  const isListed = (...asked: Parameters<typeof data>) =>
    pageCalls.linkBlock(question(data(...asked))).isListed;

  it('has values that repeat its new texts, and its address', () => {
    const row = (slug: string, name: string) =>
      `<li data-name="${name}"><a href="/team/${slug}" data-go="/team/${slug}">${name}</a></li>`;
    const list = (rows: string) => `<ul>${rows}</ul>`;
    const before = row('ada', 'Ada Lovelace') + row('bob', 'Bob Ray');
    expect(added(list(before), ['eva'], { 'Ada Lovelace': 'Eva Dahl' })).to.equal(
      list(before + row('eva', 'Eva Dahl')),
    );
  });

  it('report whether they have the template', () => {
    for (const entry of [
      { '@type': 'ListItem', position: 1, url: '/team/ada' },
      { '@type': 'ListItem', position: 1, item: { '@id': 'team/ada', name: 'Ada' } },
    ])
      expect(isListed('ItemList', entry), JSON.stringify(entry)).to.equal(true);
    expect(isListed('ItemList', { url: '/team/bob' })).to.equal(false);
    expect(isListed('BreadcrumbList', { item: '/team/ada' })).to.equal(false);
    expect(pageCalls.linkBlock(question('<a href="/team/ada">Ada</a>')).isListed).to.equal(false);
  });
});

describe('links to new pages', () => {
  const items =
    '<ul>\n  <li><a href="/team/ada">Ada</a></li>\n  <li><a href="/team/bob">Bob</a></li>\n  <li><a href="/jobs">You?</a></li>\n</ul>';

  it('dial a national number in the country of the new page', () => {
    const block = (name: string) =>
      `<li><a href="/team/${name}">${name}</a> <a href="tel:+15125550142">+1 512 555 0142</a></li>`;
    const asked = question(`<ul>${block('ada')}${block('bob')}</ul>`);
    const { slots } = pageCalls.linkBlock(asked).block ?? expect.fail('No block');
    const { id } = slots.find(({ text }) => text.includes('512'))!;
    const phones = [
      ['AT', '01 234 56 78', '+4312345678'],
      ['GB', '020 7946 0018', '+442079460018'],
    ] as const;
    const items = phones.map(([country, text]) => {
      const slot = slots.find((one) => one.id === id)!;
      return {
        file: file(country.toLowerCase()),
        texts: { [id]: slot.text.replace('+1 512 555 0142', text) },
        country,
      };
    });
    const after = pageCalls.addLinks({ ...asked, items, sitePaths: [] });
    for (const [, , dialled] of phones) expect(after).to.contain(`href="tel:${dialled}"`);
  });

  it('are placed behind the last block for a page of the folder, in their order', () => {
    const clone = (name: string) => `\n  <li><a href="/team/${name}">Name</a></li>`;
    const after = '\n  <li><a href="/team/bob">Bob</a></li>';
    expect(added(items, ['cy', 'dan'], { Ada: 'Name' })).to.equal(
      items.replace(after, after + clone('cy') + clone('dan')),
    );
  });

  it('are written as the link to the template, relative to the page', () => {
    for (const [path, href, expected] of [
      ['index.html', 'team/ada', 'team/cy'],
      ['index.html', './team/ada.html', './team/cy.html'],
      ['team/index.html', 'ada', 'cy'],
      ['a/b.html', '../team/ada.html#top', '../team/cy.html#top'],
      ['a/b.html', '/team/ada', '/team/cy'],
    ] as const) {
      const content = `<ul><li><a href="${href}">Ada</a></li><li><a href="/x">x</a></li></ul>`;
      expect(added(content, ['cy'], {}, path), href).to.contain(
        `<li><a href="${expected}">Ada</a></li>`,
      );
    }
  });

  it('are in clones with their own IDs, whose images and other links stay', () => {
    const card = (name: string) =>
      `<div class="card" id="${name}"><img src="${name}.jpg" alt="${name}"><h3 id="h-${name}">${name}</h3><a aria-labelledby="h-${name}" href="/team/${name}">More</a> <a href="/contact">Ask</a></div>`;
    const after = added(card('ada') + card('bob'), ['cy', 'dan'], { ada: 'New' });
    const ids = [...after.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids)
      .to.deep.equal([...new Set(ids)])
      .and.have.length(8);
    const [, , cy = ''] = after.split('<div class="card"');
    expect(after.split('<div class="card"')[3]).to.match(
      / id="(ada-\d)"><img src="ada.jpg" alt="New"><h3 id="(h-ada-\d)">New<\/h3><a aria-labelledby="\2" href="\/team\/cy">More<\/a> <a href="\/contact">Ask<\/a><\/div>/,
    );
    expect(cy).to.contain('href="/team/bob"');
  });

  it('are added to a block that stands alone, with its white space', () => {
    const alone = '<ul>\n\t<li><a href="/team/ada">Ada</a></li>\n</ul>';
    expect(added(alone, ['cy'])).to.equal(
      '<ul>\n\t<li><a href="/team/ada">Ada</a></li>\n\t<li><a href="/team/cy">Ada</a></li>\n</ul>',
    );
  });
});

describe('pages that link to a page', () => {
  const page = (path: string, content: string) => ({ path, source: body(content) });
  const link = '<p><a href="/team/ada">Ada</a></p>';

  it('are found by their content, with all pages that it links to', () => {
    const pages = [
      page('a.html', `<nav>${link}</nav>`),
      page('b.html', `<ul><li>${link}</li></ul><a href="/team/cy">Cy</a>`),
      page('team/ada.html', link),
      page('c.html', 'nothing'),
      page('d.html', '<p>See <a href="/team/ada">her</a></p>'),
    ];
    expect(pageCalls.linkingPages(pages, '/team/ada')).to.deep.equal([
      { slug: '/b', to: ['/team/ada', '/team/cy'], hasBlock: true },
      { slug: '/d', to: ['/team/ada'], hasBlock: false },
    ]);
  });

  it('do not include pages on which the link is at the same position as on most others', () => {
    const pages = ['a', 'b', 'c'].map((name) =>
      page(`${name}.html`, `<h1>${name}</h1><div>${link}</div>`),
    );
    expect(pageCalls.linkingPages(pages, '/team/ada')).to.deep.equal([]);
    expect(
      pageCalls.linkingPages(
        [...pages, page('d.html', `<div><ul><li>${link}</ul></div>`)],
        '/team/ada',
      ),
    ).to.deep.equal([{ slug: '/d', to: ['/team/ada'], hasBlock: true }]);
  });
});
