import { expect } from 'chai';
import { outlineTexts } from '../../../../../src/sites/formats/outlineTexts.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const page = (body: string, head = '<title>Acme</title>') =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${head}\n</head>\n<body>\n<main><h1>Acme</h1>\n${body}\n</main>\n</body>\n</html>\n`;
const read = async (files: Record<string, string>) => {
  const tools = openModelTools(memoryTree(files), pages);
  return { ...tools, outline: await tools.done('read_page', { slug: '/' }) };
};

describe('an outline marks', () => {
  it('links and images whose page, position or file does not exist on the site', async () => {
    const urls: [url: string, isMissing: boolean][] = [
      ['/b', false],
      ['b.html', false],
      ['/b?x=1#there', false],
      ['/c', true],
      ['/b/c.html', true],
      ['#here', false],
      ['#HERE', true],
      ['#top', false],
      ['#', false],
      ['/b#there', false],
      ['/b#here', true],
      ['/#here', false],
      ['/terms.pdf', false],
      ['/terms2.pdf', true],
      ['https://www.acme.example/b', false],
      ['https://www.acme.example/c', true],
      ['https://other.example/c', false],
      ['mailto:a@acme.example', false],
      ['tel:+15125550142', false],
    ];
    const links = urls.map(([url], i) => `<p><a href="${url}">Link ${i}</a></p>`).join('\n');
    const body = `${links}<h2 id="here">Here</h2><p>x</p><img src="a.png" alt="A"><img src="b.png" alt="B"><img src="c.png">`;
    const head = '<title>T</title><link rel="canonical" href="https://www.acme.example/">';
    const { outline } = await read({
      'index.html': page(body, head),
      'b.html': page('<h2 id="there">x</h2>'),
      'terms.pdf': '',
      'a.png': '',
    });
    const line = (text: string) => outline.split('\n').find((one) => one.endsWith(` ${text}`))!;
    for (const [i, [url, isMissing]] of urls.entries())
      expect(line(`Link ${i}`).includes(')(missing)'), url).to.equal(isMissing);
    expect(line('A')).to.contain('img(/a.png) A');
    expect(line('B')).to.contain('img(/b.png)(missing) B');
    expect(outline).to.contain('img(/c.png)(missing)');
  });

  it('the edits of the task: created and deleted pages', async () => {
    const { done } = await read({
      'index.html': page('<p><a href="/b">B</a></p><p><a href="/c">C</a></p>'),
      'b.html': page('<p>b</p>'),
      'd.html': page('<p>d</p>'),
    });
    await done('create_page', { slug: '/c', from: '/d' });
    await done('delete_page', { slug: '/b' });
    const outline = await done('read_page', { slug: '/' });
    expect(outline).to.contain('a(/b)(missing) B').and.to.contain('a(/c) C');
  });

  it('the lines of similar blocks and of sections', async () => {
    const { outline } = await read({
      'index.html': page(
        '<section>\n<h2>One</h2>\n<ul>\n<li>\n<h3>A</h3>\n<p>a</p>\n</li>\n<li>\n<h3>B</h3>\n<p>b</p>\n</li>\n</ul>\n</section>\n<section><h2>Two</h2><p>2</p></section>',
      ),
    });
    expect(outline.split('\n').slice(2)).to.deep.equal([
      '8 h1 Acme',
      '10 [section: lines 9-21] h2 One',
      `13 ${outlineTexts.member(1, 2, 'lines 12-15')} h3 A`,
      '14 p a',
      `17 ${outlineTexts.member(2, 2, 'lines 16-19')} h3 B`,
      '18 p b',
      '22 [section: line 22] h2 Two',
      '22 p 2',
    ]);
  });

  it('long texts that are repeated elsewhere, first of all in the body', async () => {
    const long = 'We write and build websites.';
    const { outline } = await read({
      'index.html': page(
        `<p>${long}</p>\n<p>Short</p><p>Short</p>`,
        `<title>T</title><meta name="description" content="${long}">`,
      ),
    });
    expect(outline)
      .to.contain('\n5 description = line 9\n')
      .and.to.contain(`\n9 p ${long}\n10 p Short\n10 p Short`);
  });

  it('what the head states and lacks', async () => {
    const first = async (head: string) =>
      (await read({ 'index.html': page('<p>x</p>', head) })).outline.split('\n')[0];
    const social = ['og:title', 'og:description', 'og:image'];
    const facts = 'lang en; canonical (none)';
    const all = outlineTexts.head(12, facts, ['title', 'description', 'viewport', ...social]);
    expect(await first('')).to.equal(all);
    expect(await first('<title> </title><meta name="description" content=" ">')).to.equal(all);
    const metas = [...social, 'description', 'viewport'].map(
      (name) => `<meta property="${name}" content="x">`,
    );
    expect(
      await first(
        `<title>T</title>${metas.join('')}<link rel="alternate" hreflang="de" href="/de">`,
      ),
    ).to.equal(outlineTexts.head(12, `${facts}; og:image x; hreflang de /de`, []));
  });
});
