import { expect } from 'chai';
import { casesIn } from '../../../helpers/cases.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { openSite, type SiteName } from '../../../eval/sites.ts';
import { memoryTree } from '../memoryTree.ts';
import { openModelTools } from './model/site.ts';

const tokens = (texts: string[]) => Math.round(texts.join('').length / 4);

describe('what a language model reads', () => {
  const open = (name: SiteName) => openModelTools(openSite(name).tree, pages);
  const openPage = (body: string) => openModelTools(memoryTree({ 'index.html': body }), pages);

  it('is a line a text, with groups, links and repeats, without the chrome of the site', async () => {
    const { done } = open('demo');
    const lines = (await done('read_page', { slug: '/pricing' })).split('\n');
    expect(lines).to.include.members([
      "29 texts of the site's chrome are hidden (part: chrome)",
      's48 h1 Three prices. They do not move.',
      '[g54.0] s55 h3 Starter',
      's59 btn(/contact) Choose Starter',
      '[g54.2*] s67 h3 Atlas',
      '[/g54][/s52] s74 h2 Compare the packages',
      's19.content twitter:description =s5.content',
      's22.6 offers[0].name =s55',
    ]);
    const text = lines.find((line) => line.includes('s128 '))!;
    expect(text)
      .to.contain('<1>Brand identity</1> starts')
      .and.to.contain('{1 a(/services/brand-identity)@s129, 2 a(');
    const order = ['s48 h1', 's4 title', 's22.2 name'].map((start) =>
      lines.findIndex((line) => line.startsWith(start)),
    );
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
    const chrome = await done('read_page', { slug: '/pricing', part: 'chrome' });
    expect(chrome).to.contain('[g32.1] s35 a(/pricing) Pricing').and.not.to.contain('Starter');
  });

  const expected: [SiteName, number][] = [
    ['demo', 11_500],
    ['business', 3_900],
    ['blog', 1_700],
  ];
  for (const [name, most] of expected)
    it(`takes ${most} tokens at most for all pages of ${name}, and much less than their sources`, async () => {
      const { done } = open(name);
      const { pages: paths, source } = openSite(name);
      const slugs = (await done('list_pages', {})).split('\n').map((line) => line.split(' ')[0]!);
      expect(slugs).to.have.length(paths.length);
      const outlines: string[] = [];
      for (const slug of slugs) outlines.push(await done('read_page', { slug }));
      expect(tokens(outlines)).to.be.lessThan(most);
      expect(tokens(outlines) * 2.5).to.be.lessThan(tokens(paths.map(source)));
    });

  it('takes 1,100 tokens at most for the pricing page of the demo', async () => {
    expect(tokens([await open('demo').done('read_page', { slug: '/pricing' })])).to.be.lessThan(
      1_100,
    );
  });

  it('shows links and images without a text, links around several texts, and texts without a link', async () => {
    const { done } = openPage(
      '<body><a href="/x?a=1#b"><h2>A title</h2><p>A text</p></a><a href="https://a.example/"><img src="i.png"></a>' +
        '<p>See <b>it <a href="mailto:a@a.example">here</a></b><br>now.</p><img src="data:image/png,x" alt="A dog">',
    );
    expect((await done('read_page', { slug: '/' })).split('\n')).to.deep.equal([
      's4 h2 a(/x?a=1#b)(missing)@s3 A title',
      's5 p A text',
      '[/s4] s6 a(https://a.example/)',
      's7 img(/i.png)(missing)',
      's8 p See <1>it <2>here</2></1><3/>now. {1 b, 2 a(mailto:a@a.example)@s10, 3 br}',
      's12.alt img(data:) A dog',
    ]);
  });

  it('is paged by id, so that nothing is left out or shown twice', async () => {
    const texts = Array.from({ length: 900 }, (_, i) =>
      `Text ${i} ${'words '.repeat(i % 20)}`.trim(),
    );
    const { done } = openPage(texts.map((text) => `<p>${text}</p>`).join('\n'));
    const seen: string[] = [];
    let from: string | undefined;
    for (let turn = 0; turn < 10; turn++) {
      const answer = await done('read_page', { slug: '/', ...(from && { from }) });
      expect(answer.length).to.be.lessThan(24_100);
      const lines = answer.split('\n');
      const more = /^(\d+) more: from (s\d+)$/.exec(lines.at(-1)!);
      seen.push(...(more ? lines.slice(0, -1) : lines));
      from = more?.[2];
      if (!from) break;
      expect(seen.length + Number(more![1])).to.equal(900);
    }
    expect(seen.map((line) => line.replace(/^s\d+ p /, ''))).to.deep.equal(texts);
  });

  it('stays short, whatever a page holds', async () => {
    const hostile = [
      `<p>${'long '.repeat(50_000)}</p><p>end</p>`,
      `<p>${'one <a href="/a">a</a> '.repeat(5_000)}</p>`,
      `<a href="/${'x'.repeat(100_000)}">a</a>`,
      '<a href="/a"></a>'.repeat(20_000),
      `<script type="application/ld+json">{"${'k'.repeat(100_000)}": "a text"}</script>`,
      `<p>${'x\n'.repeat(100_000)}</p><pre>${'\n'.repeat(100_000)}x</pre>`,
      `<ul>${'<li>one</li>'.repeat(2_900)}</ul>`,
    ];
    for (const body of casesIn(hostile)) {
      const { done } = openPage(body);
      for (const part of ['texts', 'chrome'])
        expect((await done('read_page', { slug: '/', part })).length).to.be.lessThan(30_100);
      const first = await done('read_page', { slug: '/' });
      const id = /(?:^|\n)(?:\[\S+\] )?([sn]\d+\S*)/.exec(first)![1]!;
      expect((await done('read_section', { slug: '/', id })).length).to.be.lessThan(8_100);
    }
  });

  it('lists very many pages, with long titles, by and by', async () => {
    const page = `<title>${'long title '.repeat(200)}</title>`;
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}.html`, page]));
    const { done } = openModelTools(memoryTree(files), pages);
    const slugs: string[] = [];
    let from: string | undefined;
    do {
      const lines = (await done('list_pages', { ...(from && { from }) })).split('\n');
      from = / more: from (\S+)$/.exec(lines.at(-1)!)?.[1];
      slugs.push(...(from ? lines.slice(0, -1) : lines).map((line) => line.split(' ')[0]!));
    } while (from && slugs.length < 1_000);
    expect(new Set(slugs).size).to.equal(400);
    expect(slugs).to.have.length(400);
  });

  it('says what was expected where an id, a slug or an argument is wrong', async () => {
    const { refusal } = open('demo');
    expect(await refusal('read_page', { slug: '/pricng' })).to.match(
      /Page not found: \/pricng; the closest are \/pricing/,
    );
    expect(await refusal('read_page', { slug: '/qqq' })).to.match(/list_pages names the 14 pages/);
    expect(await refusal('read_page', { slug: '/pricing', from: 's9999' })).to.match(
      /near are .*s153 btn/,
    );
    expect(await refusal('read_page', { slug: '/pricing', part: 'all' })).to.match(
      /"part" must be one of \[texts, chrome, head\]\. Expected: \{ slug\?, part\?, from\? \}/,
    );
    expect(await refusal('read_section', { slug: '/pricing', id: 's9999' })).to.match(
      /has no "s9999"; near are/,
    );
    expect(await refusal('replace_text', { from: 'a', to: 'b', slug: '/pricng' })).to.match(
      /closest are \/pricing/,
    );
    expect(await refusal('list_pages', { from: '/pricng' })).to.match(/closest are \/pricing/);
  });

  it('is the HTML of the section around an id', async () => {
    const { done } = open('demo');
    const card = await done('read_section', { slug: '/pricing', id: 's56' });
    expect(card)
      .to.match(/^HTML of the section s55, 301 characters:\n<article class="card">/)
      .and.to.contain('<p class="amount">$4,800</p>');
    expect(card).not.to.contain('$9,600');
    expect(await done('read_section', { slug: '/pricing', id: 's55' })).to.equal(card);
    expect(await done('read_section', { slug: '/pricing', id: 'g54' }))
      .to.contain('Choose Atlas')
      .and.not.to.contain('h2');
    expect(await done('read_section', { slug: '/pricing', id: 's52' })).to.match(
      /^HTML of the section s52, \d+ characters:\n<section class="section tint"/,
    );
    expect(await done('read_section', { slug: '/pricing', id: 's33' })).to.match(
      /^HTML of the <nav> around s33, \d+ characters:\n<nav class="site-nav"/,
    );
  });

  it('finds texts, links and lines of style sheets, each with where it stands', async () => {
    const { done } = open('demo');
    const texts = await done('search', { text: 'choose starter' });
    expect(texts).to.equal('button "Choose Starter": /pricing s59');
    const links = await done('search', { text: '/services/care-plans', in: 'links' });
    expect(links).to.match(/link "Care plans" to \/services\/care-plans: .*\/pricing s169\.href/);
    expect(links)
      .to.contain('link "care plan" to /services/care-plans')
      .and.to.contain('/pricing s130.href');
    expect(await done('search', { text: '.card', in: 'styles' })).to.match(
      /^assets\/site\.css line \d+: .*\.card/,
    );
    expect(await done('search', { text: 'zeppelin' })).to.equal('"zeppelin" stands in no texts');
    expect((await done('search', { text: 'a', in: 'styles' })).length).to.be.lessThan(12_200);
    expect(
      (await open('business').done('search', { text: 'a', in: 'links' })).length,
    ).to.be.lessThan(12_200);
  });
});
