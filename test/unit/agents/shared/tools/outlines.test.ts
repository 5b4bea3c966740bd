import { expect } from 'chai';
import { casesIn } from '../../../../helpers/cases.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { openSite, type SiteName } from '../../../../eval/sites.ts';
import { callProblems } from '../../../../../src/agents/model/tools/modelTools.ts';
import { continuationLine } from '../../../../../src/agents/model/tools/pagedLines.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { outlineTexts } from '../../../../../src/sites/formats/outlineTexts.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from '../../model/tools/site.ts';

const tokens = (texts: string[]) => Math.round(texts.join('').length / 4);

describe('the outlines that a language model reads', () => {
  const open = (name: SiteName) => openModelTools(openSite(name).tree, pages);
  const openPage = (body: string) => openModelTools(memoryTree({ 'index.html': body }), pages);

  it('have a line per text, with groups, links and repetitions, without the chrome of the site', async () => {
    const { done } = open('demo');
    const lines = (await done('read_page', { slug: '/pricing' })).split('\n');
    expect(lines).to.include.members([
      outlineTexts.hidden(29),
      '120 h1 Three prices. They do not move.',
      `129 ${outlineTexts.member(1, 3, 'lines 128-133')} h3 Starter`,
      '132 btn(/contact) Choose Starter',
      '151 [section: lines 149-217] h2 Compare the packages',
      '21 twitter:description = line 7',
      '36 offers[0].name Starter',
    ]);
    expect(lines[0]).to.match(
      /^290 lines; lang en; canonical https:\/\/\S+; og:url \S+; og:image /,
    );
    expect(lines.find((line) => line.startsWith('215 '))).to.match(
      /^215 p Only need a new mark\? Brand identity starts .* \{a\(\/services\/brand-identity\), a\(/,
    );
    const numbers = lines.slice(2).map((line) => Number(line.split(' ')[0]));
    expect(numbers).to.deep.equal(numbers.toSorted((a, b) => a - b));
    const chrome = await done('read_page', { slug: '/pricing', chrome: true });
    const pricing = chrome.split('\n').find((line) => line.endsWith(' a(/pricing) Pricing'))!;
    const [line] = pricing.split(' ');
    expect(pricing).to.include(` ${outlineTexts.member(2, 6, `line ${line}`)} `);
    expect(chrome).not.to.contain('Starter');
  });

  const expected: [SiteName, number][] = [
    ['demo', 11_700],
    ['business', 4_100],
    ['blog', 1_700],
  ];
  for (const [name, most] of expected)
    it(`need at most ${most} tokens for all pages of ${name}, and much less than their sources`, async () => {
      const { done } = open(name);
      const { pages: paths, source } = openSite(name);
      const slugs = (await done('list_pages', {})).split('\n').map((line) => line.split(' ')[0]!);
      expect(slugs).to.have.length(paths.length);
      const outlines: string[] = [];
      for (const slug of slugs) outlines.push(await done('read_page', { slug }));
      expect(tokens(outlines)).to.be.lessThan(most);
      expect(tokens(outlines) * 2.5).to.be.lessThan(tokens(paths.map(source)));
    });

  it('need at most 1,100 tokens for the pricing page of the demo', async () => {
    expect(tokens([await open('demo').done('read_page', { slug: '/pricing' })])).to.be.lessThan(
      1_100,
    );
  });

  it('show links and images without a text, links around several texts, and texts without a link', async () => {
    const { done } = openPage(
      '<body><a href="/x?a=1#b"><h2>A title</h2><p>A text</p></a><a href="https://a.example/"><img src="i.png"></a>' +
        '<p>See <b>it <a href="mailto:a@a.example">here</a></b><br>now.</p><img src="data:image/png,x" alt="A dog">',
    );
    expect((await done('read_page', { slug: '/' })).split('\n')).to.deep.equal([
      outlineTexts.head(1, 'lang (none); canonical (none)', [
        'title',
        'description',
        'viewport',
        'og:title',
        'og:description',
        'og:image',
      ]),
      '1 [section: line 1] h2 a(/x?a=1#b)(missing) A title',
      '1 p A text',
      '1 a(https://a.example/)',
      '1 img(/i.png)(missing)',
      '1 p See it here now. {a(mailto:a@a.example)}',
      '1 img(data:) A dog',
    ]);
  });

  it('are paged by line, so that nothing is omitted or shown twice', async () => {
    const texts = Array.from({ length: 900 }, (_, i) =>
      `Text ${i} ${'words '.repeat(i % 20)}`.trim(),
    );
    const { done } = openPage(texts.map((text) => `<p>${text}</p>`).join('\n'));
    const seen: string[] = [];
    let from: number | undefined;
    for (let turn = 0; turn < 10; turn++) {
      const answer = await done('read_page', { slug: '/', ...(from && { from }) });
      expect(answer.length).to.be.lessThan(24_100);
      const lines = answer.split('\n');
      const own = turn === 0 ? lines.slice(1) : lines;
      const next = seen.length + own.length;
      const isContinued = own.at(-1) === outlineTexts.continuation(texts.length - next + 1, next);
      seen.push(...(isContinued ? own.slice(0, -1) : own));
      from = isContinued ? next : undefined;
      if (!from) break;
    }
    expect(seen.map((line) => line.replace(/^\d+ (?:\[.*?\] )?p /, ''))).to.deep.equal(texts);
  });

  it('stay short, whatever a page holds', async () => {
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
      for (const chrome of [false, true])
        expect((await done('read_page', { slug: '/', chrome })).length).to.be.lessThan(30_100);
      expect((await done('read_html', { slug: '/' })).length).to.be.lessThan(24_300);
      expect((await done('read_html', { slug: '/', around: '<' })).length).to.be.lessThan(26_000);
    }
  });

  it('list very many pages with long titles in parts', async () => {
    const page = `<title>${'long title '.repeat(200)}</title>`;
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}.html`, page]));
    const { done } = openModelTools(memoryTree(files), pages);
    const slugs: string[] = [];
    let from: string | undefined;
    do {
      const lines = (await done('list_pages', { ...(from && { from }) })).split('\n');
      const next = lines.at(-1)!.split(' ').at(-1)!;
      const remainingCount = 400 - slugs.length - lines.length + 1;
      const isContinued = lines.at(-1) === continuationLine(remainingCount, next);
      from = isContinued ? next : undefined;
      slugs.push(...(isContinued ? lines.slice(0, -1) : lines).map((line) => line.split(' ')[0]!));
    } while (from && slugs.length < 1_000);
    expect(new Set(slugs).size).to.equal(400);
    expect(slugs).to.have.length(400);
  });

  it('explain what was expected if an ID, a slug or an argument is wrong', async () => {
    const { refusal } = open('demo');
    expect(await refusal('read_page', { slug: '/pric' })).to.equal(
      pageNotFound('/pric', ['/pricing']),
    );
    expect(await refusal('read_page', { slug: '/pricing', part: 'all' })).to.equal(
      callProblems.wrongArguments('read_page', '"part" is not allowed', [
        'slug',
        'chrome?',
        'from?',
      ]),
    );
  });
});
