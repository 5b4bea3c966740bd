import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const page = (body: string, head = '<title>Acme</title>') =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${head}\n</head>\n<body>\n<main><h1>Acme</h1>\n${body}\n</main>\n</body>\n</html>\n`;
const read = async (files: Record<string, string>) => {
  const tools = openModelTools(memoryTree(files), pages);
  return { ...tools, outline: await tools.done('read_page', { slug: '/' }) };
};

describe('an outline marks', () => {
  it('links and images that lead to no page, place or file of the site', async () => {
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

  it('one member of a group where a part of a page begins', async () => {
    const items = ['A', 'B', 'C'].map((text) => `<li><h3>${text}</h3><p>About ${text}</p></li>`);
    const { done, outline } = await read({ 'index.html': page(`<ul>${items.join('')}</ul>`) });
    const id = / (\S+) p About C/.exec(` ${outline.replaceAll('\n', ' \n ')}`)![1]!;
    const answer = await done('set_link', { slug: '/', id, words: 'About', target: '/' });
    expect(answer.split('\n')[1]).to.match(/^\[g\d+\.2\] s\d+ p <1>About<\/1> C/);
    expect(outline).to.match(/\[g\d+\.1\] \S+ h3 B\n/);
  });

  it('the edits of the task: pages that it made and deleted', async () => {
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

  it('where sections begin and end', async () => {
    const { outline } = await read({
      'index.html': page(
        `<section><p>Before</p><h2>One</h2><p>1</p><ul><li><h3>A</h3><p>a</p></li><li><h3>B</h3><p>b</p></li></ul></section>
<p>Between</p>
<section><h2>Two</h2><table><tbody><tr><td>x</td></tr></tbody></table><h3>Three</h3><p>3</p></section>
<p>End</p>`,
      ),
    });
    const body = outline.split('\nhead:')[0]!.replace(/\b[sn](\d+)/g, 's$1');
    const id = (text: string) => new RegExp(`(s\\d+) \\S+ ${text}$`, 'm').exec(body)![1];
    expect(body).to.contain(`[${id('One')}] ${id('Before')} p Before`);
    expect(body).to.match(new RegExp(`\\[/g\\d+\\]\\[/${id('One')}\\] s\\d+ p Between`));
    expect(body).to.match(/\n(?:\[\S+\] )?s\d+ h3 A\n/);
    expect(body).to.match(/\[(s\d+)\] s\d+ td x\n\[\/\1\] s\d+ h3 Three\n/);
    expect(body).to.contain(`[/${id('Three')}][/${id('Two')}] ${id('End')} p End`);
  });

  it('little, on a real site', async () => {
    const { done } = openModelTools(demo, pages);
    let [length, marks] = [0, 0];
    for (const slug of (await done('list_pages', {}))
      .split('\n')
      .map((line) => line.split(' ')[0])) {
      const outline = await done('read_page', { slug });
      length += outline.length;
      marks += outline.match(/\[\/?s\d+\] ?/g)?.join('').length ?? 0;
      expect(outline).not.to.match(/missing\)|\(none\)/);
    }
    expect(marks / length)
      .to.be.above(0)
      .and.below(0.02);
  });
});

const lacking: Record<string, string> = {
  'an empty description': '<title>Acme</title>\n<meta name="description" content="">',
  'a blank description': '<title>Acme</title>\n<meta content=" " name="Description">',
  'a description without content': '<title>Acme</title>\n<meta name="description">',
  'no description': '<title>Acme</title>',
  'no title': '<meta name="description" content="Anvils">',
  'an empty title': '<title></title>\n<meta name="description" content="Anvils">',
  'a blank title': '<title> \n</title>\n<meta name="description" content="Anvils">',
  neither: '',
};

describe('a page with', () => {
  for (const [what, head] of Object.entries(lacking))
    it(`${what} shows it, and gets one by its id, while all other ids stay`, async () => {
      const { done, outline, changed } = await read({ 'index.html': page('<p>x</p>', head) });
      const ids = [...outline.matchAll(/^(head\.(\S+)) \2 \(none\)$/gm)].map(([, id]) => id!);
      expect(ids).to.deep.equal(
        ['head.title', 'head.description'].filter((id) =>
          what === 'neither'
            ? true
            : what.endsWith(id.slice(5)) || what.includes(`${id.slice(5)} `),
        ),
      );
      const text = 'Anvils & "more" <b>';
      const answer = await done('set_texts', {
        slug: '/',
        edits: [
          ...ids.map((id) => ({ id, text })),
          { id: /(\S+) p x/.exec(outline)![1], text: 'y' },
        ],
      });
      const now = await done('read_page', { slug: '/' });
      for (const id of ids) {
        const [, made] = new RegExp(`; ${id} is (\\S+) now`).exec(answer)!;
        expect(now).to.contain(`${made} ${id.slice(5)} `);
      }
      expect(now).not.to.contain('(none)');
      const html = changed().get('index.html')!;
      if (ids.includes('head.title'))
        expect(html).to.contain('<title>Anvils &amp; "more" &lt;b&gt;</title>');
      if (ids.includes('head.description'))
        expect(html).to.match(/content="Anvils &amp; &quot;more&quot; &lt;b&gt;"/);
      expect(html.match(/<title>|description/gi)).to.have.length(2);
      const body = (answered: string) => answered.split('\nhead:')[0]!;
      expect(body(now)).to.equal(body(outline).replace(' p x', ' p y'));
    });

  it('a title and a description gets no second one', async () => {
    const { refusal, changed } = await read({
      'index.html': page('<p>x</p>', `<title>A</title><meta name="description" content="B">`),
    });
    for (const id of ['head.title', 'head.description', 'head.constructor', 'head.h1'])
      expect(await refusal('set_texts', { slug: '/', edits: [{ id, text: 'New' }] })).to.contain(
        `/ has no text ${id}`,
      );
    expect(changed().size).to.equal(0);
  });

  it('no description gets one that is looked at as other texts are', async () => {
    const { done, refusal, changed } = await read({ 'index.html': page('<p>x</p>') });
    const edit = (text: string) => ({ slug: '/', edits: [{ id: 'head.description', text }] });
    expect(await refusal('set_texts', edit('See <1>us</1>'))).to.match(
      /^head\.description: The slot has no inline parts/,
    );
    const twice = { slug: '/', edits: [...edit('A').edits, ...edit('B').edits] };
    expect(await refusal('set_texts', twice)).to.equal('head.description is given twice');
    expect(changed().size).to.equal(0);
    expect(await done('set_texts', edit('Anvils &amp; <b>more</b>, for all'))).to.match(
      /^1 written; head\.description: "<b>" is shown as these characters; [^;]+; head\.description is (\S+) now$/,
    );
  });

  it('no description gets one everywhere, on all pages that have none', async () => {
    const { done, changed } = await read({
      'index.html': page('<p>x</p>'),
      'a.html': page('<p>y</p>'),
      'b.html': page('<p>z</p>', '<title>B</title><meta name="description" content="Own">'),
    });
    const edits = [{ id: 'head.description', text: 'All of it' }];
    expect(await done('set_texts', { slug: '/', edits, everywhere: true })).to.match(
      /^1 written; head\.description is \S+ now; on 2 pages; not on \/b$/,
    );
    expect([...changed().keys()].sort()).to.deep.equal(['a.html', 'index.html']);
    expect(changed().get('a.html')).to.contain('content="All of it"');
  });

  it('no description gets no blank one', async () => {
    const { refusal, changed } = await read({ 'index.html': page('<p>x</p>') });
    const edits = [{ id: 'head.description', text: ' \n' }];
    expect(await refusal('set_texts', { slug: '/', edits })).to.match(/blank/);
    expect(changed().size).to.equal(0);
  });
});

describe('the part head', () => {
  it('is titles, descriptions, addresses and languages of all pages', async () => {
    const { done, refusal } = openModelTools(demo, pages);
    const all = await done('read_page', { part: 'head' });
    const slugs = (await done('list_pages', {})).split('\n').map((line) => line.split(' ')[0]!);
    for (const slug of slugs) {
      const one = await done('read_page', { slug, part: 'head' });
      expect(one).to.match(
        new RegExp(
          `^${slug} lang en; canonical (?:https://www\\.northwind\\.example|\\(none\\); robots noindex)`,
        ),
      );
      expect(one).to.match(/\n\S+ title .+\n\S+ description .+/);
      expect(`${all}\n`).to.contain(`${one}\n`);
    }
    expect(await refusal('read_page', { part: 'texts' })).to.match(/"slug" is required/);
    expect(await refusal('read_page', {})).to.match(/"slug" is required/);
  });

  it('says what a page lacks, and its translations', async () => {
    const { done } = await read({
      'index.html': page(
        'x',
        '<link rel="alternate" hreflang="de" href="/de"><meta name="robots" content="noindex">',
      ).replace(' lang="en"', ''),
    });
    expect(await done('read_page', { part: 'head' })).to.equal(
      '/ lang (none); canonical (none); hreflang de /de; robots noindex\nhead.title title (none)\nhead.description description (none)',
    );
  });

  it('pages through many pages', async () => {
    const title = `<title>${'Title '.repeat(20)}</title>`;
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`p${i + 100}.html`, page('x', title)] as const),
    );
    const { done, refusal } = openModelTools(memoryTree(files), pages);
    const slugs: string[] = [];
    for (let from: string | undefined = '/p100'; from !== undefined;) {
      const answer = await done('read_page', { part: 'head', from });
      expect(answer.length).to.be.below(24_100);
      slugs.push(...answer.matchAll(/^(\/\S+) lang/gm).map(([, slug]) => slug!));
      from = /^\d+ more pages: from (\S+)$/m.exec(answer)?.[1];
    }
    expect(slugs).to.have.length(300);
    expect(new Set(slugs).size).to.equal(300);
    expect(await refusal('read_page', { part: 'head', from: '/p1' })).to.match(/Page not found/);
  });
});
