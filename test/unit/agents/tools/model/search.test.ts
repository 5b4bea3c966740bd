import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><title>${title}</title><meta name="description" content="An anvil for ${title}">
<script type="application/ld+json">{"@type": "Product", "name": "Anvil ${title}"}</script></head>
<body>
<header><nav><a href="/">Anvil home</a> <a href="/b">Bees</a></nav></header>
<main><h1>${title}</h1>${body}</main>
<footer><p>The anvil company</p></footer>
</body>
</html>
`;
const paragraphs = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `<p>Anvil number ${from + i}</p>`).join('');

describe('search', () => {
  it('gives the texts of the content first, then navigation and footer, head and data', async () => {
    const { done } = openModelTools(
      memoryTree({
        'a.html': page('Anvil A', '<p>One</p>'),
        'b.html': page('B', '<p>An anvil here</p>'),
      }),
      pages,
    );
    const lines = (await done('search', { text: 'anvil' })).split('\n');
    expect(lines.map((line) => line.replace(/:.*/, ''))).to.deep.equal([
      'heading "Anvil A"',
      'paragraph "An anvil here"',
      'link "Anvil home"',
      'paragraph "The anvil company"',
      'title "Anvil A"',
      'description "An anvil for Anvil A"',
      'description "An anvil for B"',
      'structured-data "Anvil Anvil A"',
      'structured-data "Anvil B"',
    ]);
    expect(lines[2]).to.match(/^link "Anvil home": \/a s\d+, \/b s\d+$/);
    const links = (await done('search', { text: 'e', in: 'links' })).split('\n');
    expect(links).to.have.length(2);
  });

  it('looks on one page where a slug is given', async () => {
    const { done, refusal } = openModelTools(demo, pages);
    const all = await done('search', { text: 'website' });
    const one = await done('search', { text: 'website', slug: '/pricing' });
    expect(all.split('\n').length).to.be.above(one.split('\n').length);
    for (const line of one.split('\n'))
      expect(line).to.match(/: \/pricing s\S+(?:, \/pricing s\S+)*$/);
    expect(await done('search', { text: 'zeppelin', slug: '/pricing' })).to.equal(
      '"zeppelin" stands in no texts of /pricing',
    );
    for (const line of (await done('search', { text: '/', in: 'links', slug: '/about' })).split(
      '\n',
    ))
      expect(line).to.match(/: \/about s/);
    expect(await refusal('search', { text: 'a', slug: '/pricng' })).to.match(
      /closest are \/pricing/,
    );
    expect(await refusal('search', { text: 'a', in: 'styles', slug: '/' })).to.match(
      /slug goes with texts and links/,
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
      for (const where of ['texts', 'styles'] as const) {
        const found: string[] = [];
        const text = where === 'texts' ? 'anvil number' : 'color';
        for (let from: number | undefined = 1; from !== undefined;) {
          const lines = (await done('search', { text, in: where, from })).split('\n');
          const more = /^(\d+) hits; (\d+) more: from (\d+)$/.exec(lines.at(-1)!);
          found.push(...(more ? lines.slice(0, -1) : lines));
          if (more) expect(Number(more[1]) - Number(more[2])).to.equal(found.length);
          from = more ? Number(more[3]) : undefined;
        }
        expect(found).to.have.length(count);
        expect(new Set(found).size).to.equal(count);
      }
      expect(await refusal('search', { text: 'anvil number', from: count + 1 })).to.equal(
        `from is ${count + 1}, and there are ${count} hits`,
      );
    });

  it('shows the words in a long text', async () => {
    const long = `<p>${'word '.repeat(400)} the hidden anvil ${'word '.repeat(400)}</p>`;
    const { done } = openModelTools(memoryTree({ 'a.html': page('A', long) }), pages);
    const [line] = (await done('search', { text: 'hidden anvil' })).split('\n');
    expect(line).to.match(/^paragraph "….*the hidden anvil.*…": \/a s\d+$/);
    expect(line!.length).to.be.below(200);
  });

  it('bounds the places of a text on many pages', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 230 }, (_, i) => [`p${i + 100}.html`, page(`P${i}`, '')] as const),
    );
    const { done } = openModelTools(memoryTree(files), pages);
    const answer = await done('search', { text: 'company' });
    expect(answer).to.match(
      /^paragraph "The anvil company": \/p100 s\d+, .* and 180 more\nPages after \/p300 were not searched: give a slug$/,
    );
  });
});
