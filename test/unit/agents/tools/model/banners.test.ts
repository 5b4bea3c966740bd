import { expect } from 'chai';
import { openSite } from '../../../../eval/sites.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><title>${title}</title></head>
<body class="note wide">
${body}
</body>
</html>
`;
const header = '<header><nav><a href="/">Home</a></nav></header>';
const footer = '<footer><p>Acme</p></footer>\n<script>let a;</script>';
const content = (title: string) =>
  `<main><h1>${title}</h1><p>About ${title}</p><article><header><h2>More</h2></header><footer>By Ann</footer></article></main>`;
const files = {
  'index.html': page('Home', `<!-- Top -->\n${header}\n${content('Home')}\n${footer}`),
  'us/team.html': page('Team', `${header}\n${content('Team')}\n${footer}`),
  'offer.html': page('Offer', `${header}\n${content('Offer')}\n${footer}`),
  'roles.html': page(
    'Roles',
    `<div role="banner">Acme</div>\n${content('Roles')}\n<div role="contentinfo">Acme</div>`,
  ),
  'names.html': page(
    'Names',
    `<div class="masthead">Acme</div>\n${content('Names')}\n<div id="footer"><p class="copyright">Acme</p></div>`,
  ),
  'bare.html': page('Bare', content('Bare')),
  'broken.html': `${'<div>'.repeat(600)}`,
};
const html = '<div class="note" id="sale"><p>Sale: <a href="offer.html">20 % off</a></p></div>';

describe('a banner', () => {
  const open = (tree = memoryTree(files)) => openModelTools(tree, pages);
  const banner = { slug: '/', before: 'header', html };

  it('stands before the header of every page, with the addresses of each, and comes off again', async () => {
    const { done, changed, workspace } = open();
    expect(await done('insert_section', { ...banner, everywhere: true })).to.match(
      /^Inserted .* in body\S*, before header\S* .* on 5 pages; not on \/bare, \/broken \(Page \/bare: The page has no header or navigation above its headline; Page .+\); its texts:\n(n\d+) p Sale: <1>20 % off<\/1> \{1 a\(\/offer\)@n\d+\}$/,
    );
    expect([...changed().keys()]).to.deep.equal([
      'index.html',
      'names.html',
      'offer.html',
      'roles.html',
      'us/team.html',
    ]);
    expect(changed().get('index.html')).to.equal(
      files['index.html'].replace('<!-- Top -->', `${html}\n<!-- Top -->`),
    );
    expect(changed().get('us/team.html')).to.equal(
      files['us/team.html'].replace(
        header,
        `${html.replace('offer.html', '../offer.html')}\n${header}`,
      ),
    );
    for (const path of ['names.html', 'roles.html'] as const)
      expect(changed().get(path)).to.equal(files[path].replace('<div', `${html}\n<div`));
    const chrome = await done('read_page', { slug: '/offer', part: 'chrome' });
    const id = /^(n\d+) p Sale/m.exec(chrome)?.[1];
    expect(await done('read_page', { slug: '/offer' })).to.not.contain('Sale');
    const said = await done('remove_section', { slug: '/offer', section: id, everywhere: true });
    expect(said).to.match(/^Removed on 5 pages; not on \/bare, \/broken\n/);
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('stands after the footer, on one page alone where nothing else is asked for', async () => {
    const { done, changed } = open();
    await done('insert_section', {
      slug: '/us/team',
      after: 'footer',
      html: html.replace('offer', '/offer'),
    });
    expect([...changed().keys()]).to.deep.equal(['us/team.html']);
    expect(changed().get('us/team.html')).to.contain(`Acme</p></footer>\n<div class="note"`);
    await done('insert_section', { slug: '/names', after: 'footer', html });
    expect(changed().get('names.html')).to.contain(`Acme</p></div>\n<div class="note"`);
  });

  it('is not written twice', async () => {
    const { done, refusal, changed } = open();
    await done('insert_section', {
      ...banner,
      slug: '/us/team',
      html: html.replace('offer', '../offer'),
    });
    expect(
      await refusal('insert_section', { ...banner, slug: '/us/team', everywhere: true }),
    ).to.match(/The same stands there already: n\d+/);
    expect(await done('insert_section', { ...banner, everywhere: true })).to.match(
      /^Inserted .* on 4 pages; not on .*\/us\/team.* \(.*The same stands there already: n\d+/,
    );
    for (const content of changed().values()) expect(content!.split('Sale').length).to.equal(2);
    await done('insert_section', {
      ...banner,
      html: html.replace('Sale', 'News').replace('sale', 'news'),
    });
    expect(changed().get('index.html')).to.contain('Sale').and.to.contain('News');
  });

  it('keeps the ids of the page, and is chrome of the pages that are made from it', async () => {
    const { done, changed } = open();
    const before = await done('read_page', { slug: '/' });
    await done('insert_section', { ...banner, everywhere: true });
    const own = (outline: string) => outline.split('\n').filter((line) => /^s/.test(line));
    expect(own(await done('read_page', { slug: '/' }))).to.deep.equal(own(before));
    await done('create_page', { slug: '/us/new', from: '/us/team' });
    expect(changed().get('us/new.html')).to.contain('href="../offer.html">20 % off');
  });

  it('is a copy of a section, or of another banner, too', async () => {
    const { done, changed } = open();
    await done('insert_section', banner);
    const [, id] = /^(n\d+) p Sale/m.exec(await done('read_page', { slug: '/' }))!;
    await done('insert_section', {
      slug: '/us/team',
      before: 'header',
      from: { slug: '/', section: id },
    });
    expect(changed().get('us/team.html')).to.contain(
      '<a href="../offer.html">20 % off</a></p></div>\n<header>',
    );
  });

  it('is refused where it can not stand, and the pages stay as they are', async () => {
    const { refusal, workspace } = open();
    for (const [args, says] of [
      [{ ...banner, slug: '/bare' }, /no header or navigation/],
      [{ slug: '/bare', after: 'footer', html, everywhere: true }, /no footer/],
      [
        { ...banner, html: `${html}${html.replace('sale', 'more')}` },
        /one element: put the 2 into one/,
      ],
      [
        { ...banner, html: html.replace('note', 'new-class'), everywhere: true },
        /`new-class` is not the site's/,
      ],
      [{ ...banner, html: '<script>x()</script>', everywhere: true }, /<script>/],
      [{ ...banner, html: html.replace('offer', 'nowhere') }, /no such page or file/],
      [{ slug: '/', after: 's5', html, everywhere: true }, /everywhere goes with before: header/],
      [{ ...banner, after: 'footer' }, /Wrong arguments/],
      [{ ...banner, before: 'main' }, /Wrong arguments/],
      [{ slug: '/', html }, /Wrong arguments/],
    ] as const)
      expect(await refusal('insert_section', args), JSON.stringify(args)).to.match(says);
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('passes the checks of a commit on all pages of a real site, and is chrome there', async () => {
    const { done, workspace } = open(openSite('business').tree);
    const count = (await done('list_pages', {})).split('\n').length;
    const html =
      '<div class="bg-dark"><p>Closed on Friday. <a href="/pricing">Prices</a></p></div>';
    expect(
      await done('insert_section', { slug: '/', before: 'header', html, everywhere: true }),
    ).to.match(new RegExp(`^Inserted .* on ${count} pages; its texts:\\n`));
    expect(await done('read_page', { slug: '/faq' })).to.not.contain('Closed on Friday');
    const finish = { id: 'f', name: 'finish', arguments: { summary: 'Done' } };
    const { results } = await workspace.take({ toolCalls: [finish] } as never);
    expect(results[0]!.isError, results[0]!.content).to.equal(false);
    const chrome = await done('read_page', { slug: '/faq', part: 'chrome' });
    const [, section] = /^(n\d+) p Closed/m.exec(chrome)!;
    await done('remove_section', { slug: '/faq', section, everywhere: true });
    expect(workspace.changes()).to.deep.equal([]);
  });
});
