import { expect } from 'chai';
import { continuationLine } from '../../../../../src/agents/model/tools/pagedLines.ts';
import { searchTexts } from '../../../../../src/agents/model/tools/searchTool.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><title>${title}</title></head>
<body>
<header><nav><a href="/">Anvil home</a></nav></header>
<main><h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
const paragraphs = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `<p>Anvil number ${from + i}</p>`).join('\n');

describe('search', () => {
  it('returns each line once, with its pages and line numbers', async () => {
    const { done } = openModelTools(
      memoryTree({
        'a.html': page('A', '<p>One</p>'),
        'b.html': page('B', '  <p class="x">An  ANVIL here</p>'),
      }),
      pages,
    );
    expect((await done('search', { text: 'anvil' })).split('\n')).to.deep.equal([
      '/a:5, /b:5 <header><nav><a href="/">Anvil home</a></nav></header>',
      '/b:7 <p class="x">An  ANVIL here</p>',
    ]);
    expect(await done('search', { text: 'class="x"' })).to.match(/^\/b:7 /);
  });

  it('searches one page if a slug is given, and style sheets', async () => {
    const { done, refusal } = openModelTools(demo, pages);
    for (const line of (await done('search', { text: 'website', slug: '/pricing' })).split('\n'))
      expect(line).to.match(/^\/pricing:\d+(?:, \/pricing:\d+)* /);
    expect(await done('search', { text: 'zeppelin', slug: '/pricing' })).to.equal(
      searchTexts.noHit('/pricing', 'zeppelin'),
    );
    expect(await done('search', { text: 'zeppelin', in: 'styles' })).to.equal(
      searchTexts.noHit('the styles', 'zeppelin'),
    );
    expect(await done('search', { text: '.card', in: 'styles' })).to.match(
      /^assets\/site\.css:\d+ .*\.card/,
    );
    expect(await refusal('search', { text: 'a', in: 'styles', slug: '/' })).to.equal(
      searchTexts.slugOfStyles(),
    );
  });

  for (const count of [23, 700])
    it(`pages through ${count} hits, each once`, async () => {
      const { done, refusal } = openModelTools(
        memoryTree({
          'a.html': page('A', paragraphs(1, 12)),
          'b.html': page('B', paragraphs(13, count)),
          'site.css': Array.from({ length: count }, (_, i) => `.a${i} { color: red }\n`).join(''),
        }),
        pages,
      );
      for (const where of ['pages', 'styles'] as const) {
        const found: string[] = [];
        const text = where === 'pages' ? 'anvil number' : 'color';
        for (let from: number | undefined = 1; from !== undefined;) {
          const answer: string = await done('search', { text, in: where, from });
          const lines = answer.split('\n');
          const next = found.length + lines.length;
          const isContinued = lines.at(-1) === continuationLine(count - next + 1, next);
          found.push(...(isContinued ? lines.slice(0, -1) : lines));
          from = isContinued ? next : undefined;
        }
        expect(found).to.have.length(count);
        expect(new Set(found).size).to.equal(count);
      }
      expect(await refusal('search', { text: 'anvil number', from: count + 1 })).to.equal(
        searchTexts.afterLastHit(count + 1, count),
      );
    });

  it('shows the words in a long line', async () => {
    const long = `<p>${'word '.repeat(400)} the hidden anvil ${'word '.repeat(400)}</p>`;
    const { done } = openModelTools(memoryTree({ 'a.html': page('A', long) }), pages);
    const [line] = (await done('search', { text: 'hidden anvil' })).split('\n');
    expect(line).to.match(/^\/a:7 ….*the hidden anvil.*…$/);
    expect(line!.length).to.be.below(280);
  });

  it('limits the positions of a line on many pages, and says what was not searched', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 230 }, (_, i) => [`p${i + 100}.html`, page(`P${i}`, '')] as const),
    );
    const { done } = openModelTools(memoryTree(files), pages);
    const [hit, remark, ...others] = (await done('search', { text: 'anvil home' })).split('\n');
    expect(hit).to.match(/^\/p100:5, .*\b180\b.* <header>/);
    expect([remark, ...others]).to.deep.equal([searchTexts.notSearched('/p300')]);
  });

  it("continues if a style sheet can't be read", async () => {
    const files = { 'a.html': page('A', ''), 'a.css': '.a { x', 'b.css': '.b { color: red }' };
    const { done } = openModelTools(memoryTree(files), pages);
    expect(await done('search', { text: '{', in: 'styles' })).to.equal(
      'a.css:1 .a { x\nb.css:1 .b { color: red }',
    );
  });
});
