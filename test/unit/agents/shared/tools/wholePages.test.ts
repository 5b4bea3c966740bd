import { resolve } from 'node:path';
import { expect } from 'chai';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { pageTexts } from '../../../../../src/agents/shared/tools/wholePages.ts';
import { folderTree, memoryTree } from '../../memoryTree.ts';
import { openCalls } from './run.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));
const page = (head: string, body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title>${head}</head>\n<body>${body}</body></html>\n`;

describe('move_page', () => {
  it('moves the file by the convention of its page, with its own URL', async () => {
    const { edit, changed, workspace } = openCalls(demo, pages);
    await edit('move_page', { slug: '/about', to: '/studio/company' });
    await edit('move_page', { slug: '/services/care-plans', to: '/care' });
    expect(workspace.touched().created).to.deep.equal([
      { slug: '/care', path: 'care/index.html' },
      { slug: '/studio/company', path: 'studio/company.html' },
    ]);
    expect(workspace.touched().deleted.map(({ slug }) => slug)).to.deep.equal([
      '/about',
      '/services/care-plans',
    ]);
    const company = changed().get('studio/company.html')!;
    expect(company)
      .to.contain('<link rel="canonical" href="https://www.northwind.example/studio/company">')
      .and.to.contain(
        '<meta property="og:url" content="https://www.northwind.example/studio/company">',
      )
      .and.to.contain('"url": "https://www.northwind.example/studio/company"')
      .and.to.contain('<a href="company" class="active" aria-current="page">About</a>')
      .and.to.contain('src="../assets/images/studio.svg"')
      .and.to.contain('<a href="../contact">say hello</a>');
  });

  it('changes no other byte except URLs, and all URLs that led to the page', async () => {
    const { edit, changed } = openCalls(demo, pages);
    await edit('move_page', { slug: '/about', to: '/company' });
    const about = await demo.read('about.html');
    expect(changed().get('company.html')).to.equal(
      about
        .replaceAll('northwind.example/about"', 'northwind.example/company"')
        .replace(/(href="\/?)about"/g, '$1company"'),
    );
    for (const [path, content] of changed()) {
      if (content === null || path === 'company.html') continue;
      const source = await demo.read(path);
      expect(content, path).to.equal(
        source.replace(
          /((?:href="|"|content=")(?:https:\/\/www\.northwind\.example\/|\/|(?:\.\.\/)*))about"(?!:)/g,
          '$1company"',
        ),
      );
    }
    for (const path of demo.entries.keys())
      if (path.endsWith('.html') && path !== 'about.html')
        expect(changed().get(path) ?? (await demo.read(path)), path).not.to.match(
          /(href|content|url)"?[=:] ?"[^"]*\babout"/,
        );
  });

  it('keeps what a copy would lose: alternates, neighbours, and the exclusion from search engines', async () => {
    const head =
      '<meta name="robots" content="noindex"><link rel="prev" href="b.html"><link rel="alternate" hreflang="de" href="/de/a.html"><link rel="canonical" href="https://x.example/other">';
    const { edit, changed } = openCalls(memoryTree({ 'a.html': page(head, '<h1>A</h1>') }), pages);
    await edit('move_page', { slug: '/a', to: '/c/d' });
    expect(changed().get('c/d.html')).to.equal(
      page(head.replace('"b.html"', '"../b.html"'), '<h1>A</h1>'),
    );
  });

  it('updates links in every style, alternates and refreshes of other pages', async () => {
    const links =
      '<a href="a.html#x">1</a><a href="/a?q=1">2</a><a href="./a/">3</a><a href="https://x.example/a.html">4</a><a href="https://y.example/a">5</a><a href="/ab">6</a><form action="a"></form>';
    const head =
      '<link rel="canonical" href="https://x.example/b.html"><link rel="next" href="a.html"><meta http-equiv="refresh" content="3; url=/a">';
    const { edit, changed } = openCalls(
      memoryTree({ 'a.html': page('', '<h1>A</h1>'), 'b.html': page(head, links) }),
      pages,
    );
    await edit('move_page', { slug: '/a', to: '/c' });
    expect(changed().get('b.html')).to.equal(
      page(
        head.replace('"a.html"', '"c.html"').replace('url=/a', 'url=/c'),
        links
          .replace('"a.html#x"', '"c.html#x"')
          .replace('"/a?q=1"', '"/c?q=1"')
          .replace('"./a/"', '"./c/"')
          .replace('https://x.example/a.html', 'https://x.example/c.html')
          .replace('action="a"', 'action="c"'),
      ),
    );
  });

  it('finds links that do not name the page, in pages below it, and encoded names', async () => {
    const files = {
      'zebra/index.html': page('', '<h1>Z</h1><a href="./">Z</a>'),
      'zebra/x.html': page('', '<a href="./">Z</a><a href="../y">Y</a>'),
      'y.html': page('', '<a href="/%7Aebr%61">Z</a>'),
      'w.html': page('', '<a href="./">Home</a>'),
    };
    const { edit, changed } = openCalls(memoryTree(files), pages);
    await edit('move_page', { slug: '/zebra', to: '/lion' });
    expect(Object.fromEntries(changed())).to.deep.equal({
      'zebra/index.html': null,
      'lion/index.html': files['zebra/index.html'],
      'zebra/x.html': page('', '<a href="../lion/">Z</a><a href="../y">Y</a>'),
      'y.html': page('', '<a href="/lion">Z</a>'),
    });
  });

  it('moves into its own folder, and to another case of its name', async () => {
    const { edit, workspace } = openCalls(demo, pages);
    await edit('move_page', { slug: '/about', to: '/about/us' });
    await edit('move_page', { slug: '/pricing', to: '/Pricing' });
    expect(workspace.touched().created.map(({ path }) => path)).to.deep.equal([
      'Pricing.html',
      'about/us.html',
    ]);
  });

  it('rejects the home page, existing pages, and impossible slugs', async () => {
    const { refusal, changed } = openCalls(demo, pages);
    const { movesHome, exists, invalidSlug } = pageTexts;
    expect(await refusal('move_page', { slug: '/', to: '/home' })).to.equal(movesHome());
    expect(await refusal('move_page', { slug: '/about', to: '/pricing' })).to.equal(
      exists('/pricing'),
    );
    expect(await refusal('move_page', { slug: '/about', to: '/about.html' })).to.equal(
      exists('/about'),
    );
    expect(await refusal('move_page', { slug: '/about', to: '/Pricing' })).to.include(
      `${exists('/Pricing')} (`,
    );
    expect(await refusal('move_page', { slug: '/nope', to: '/x' })).to.equal(pageNotFound('/nope'));
    for (const to of [
      '/../x',
      '/.git/x',
      '/a b',
      '//x',
      '/x/../../y',
      '/',
      '/%2e%2e/x',
      '/con',
      '/x?y',
      '/favicon.svg/x',
    ])
      expect(await refusal('move_page', { slug: '/about', to }), to).to.satisfy((problem: string) =>
        [invalidSlug(''), exists('')].some((beginning) => problem.startsWith(beginning)),
      );
    expect([...changed().keys()]).to.deep.equal([]);
  });

  it('names links that were already broken at their new position', async () => {
    const { edit, workspace } = openCalls(demo, pages);
    await edit('delete_page', { slug: '/services/care-plans' });
    await edit('move_page', { slug: '/locations/austin', to: '/austin' });
    expect((await workspace.warnings())[0])
      .to.match(/still linked from .*\/austin \(/)
      .and.not.contain('/locations/austin');
  });
});
