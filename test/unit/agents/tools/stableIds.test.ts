import { expect } from 'chai';
import { testPages as pages } from '../../../helpers/threads.ts';
import { memoryTree } from '../memoryTree.ts';
import { demo, openModelTools } from './model/site.ts';

const slug = '/pricing';

/** The line of an outline with an id. */
const lineOf = (outline: string, id: string) =>
  new RegExp(`^(?:\\[[^\\]]*\\])* ?${id.replace('.', '\\.')} .*`, 'm').exec(outline)?.[0];

describe('ids that a language model read', () => {
  const page = (main: string, head = '') =>
    `<!doctype html>\n<html lang="en"><head><title>A</title>${head}</head>\n<body><main><h1>A</h1>${main}</main></body></html>\n`;

  it('stay when a page gets hreflang for a new one in another language', async () => {
    const { done, changed } = openModelTools(demo, pages);
    const before = await done('read_page', { slug });
    await done('create_page', { slug: '/preise', from: slug, lang: 'de' });
    expect(await done('read_page', { slug })).to.equal(before);
    await done('set_texts', { slug, edits: [{ id: 's138', text: 'Yes, it is.' }] });
    expect(changed().get('pricing.html')).to.match(
      /Is the price really fixed\?<\/summary>\s*<p>Yes, it is\.<\/p>/,
    );
  });

  it('stay with the links of a text that get another order', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('set_texts', {
      slug,
      edits: [{ id: 's128', text: 'Try <2>care</2> or <1>a brand</1>.' }],
    });
    expect(lineOf(await done('read_page', { slug }), 's128')).to.match(
      /1 a\(\/services\/care-plans\)@s130, 2 a\(\/services\/brand-identity\)@s129/,
    );
    await done('set_link', { slug, id: 's129', target: '/about' });
    expect(changed().get('pricing.html')).to.contain('<a href="about">a brand</a>');
  });

  it('stay with texts that stand beside each other, when what is between them goes', async () => {
    const { done, refusal, changed } = openModelTools(
      memoryTree({
        'index.html': page(
          'First<section><h2>One</h2></section>Second<section><h2>Two</h2></section>Third',
        ),
      }),
      pages,
    );
    const outline = await done('read_page', { slug: '/' });
    const [first, second, third, one] = [
      /(\S+) p First/,
      /(\S+) p Second/,
      /(\S+) p Third/,
      /(\S+) h2 One/,
    ].map((line) => line.exec(outline)![1]!);
    await done('remove_section', { slug: '/', section: one });
    await done('set_texts', { slug: '/', edits: [{ id: third, text: 'Last' }] });
    expect(changed().get('index.html')).to.contain(
      'FirstSecond<section><h2>Two</h2></section>Last',
    );
    for (const id of [first, second])
      expect(await refusal('set_texts', { slug: '/', edits: [{ id, text: 'x' }] })).to.match(
        /has no text/,
      );
  });

  it('never name a part of another page that comes to the slug', async () => {
    const { done, refusal } = openModelTools(demo, pages);
    const write = { slug, edits: [{ id: 's48', text: 'x' }] };
    await done('delete_page', { slug });
    const created = await done('create_page', { slug, from: '/about' });
    expect(created).to.match(/^n\d+ h1 Eleven people/m);
    expect(await refusal('set_texts', write)).to.match(/\/pricing has no text s48/);
    await done('move_page', { slug, to: '/prices' });
    expect(await done('move_page', { slug: '/contact', to: slug })).to.equal(
      'Moved /contact to /pricing; its ids are new there, since another page was: read it',
    );
    expect(await refusal('set_texts', write)).to.match(/\/pricing has no text s48/);
  });

  it('move with their page', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('add_items', { slug, group: 'g54', after: 0, items: [['A', '$1', 'C', 'D']] });
    expect(await done('move_page', { slug, to: '/prices' })).not.to.contain('ids are new');
    await done('set_texts', {
      slug: '/prices',
      edits: [
        { id: 'n2', text: 'New' },
        { id: 's48', text: 'Old' },
      ],
    });
    expect(changed().get('prices.html')).to.match(/<h1>Old<\/h1>[^]*<h3>New<\/h3>/);
  });

  it('stay with a group of which one member is left, and which grows again', async () => {
    const { done, changed } = openModelTools(demo, pages);
    expect(await done('remove_items', { slug, group: 'g54', indexes: [0, 1] })).to.match(
      /^Done\n\[g54\.0\*\] s67 h3 Atlas\n/,
    );
    expect(
      await done('add_items', { slug, group: 'g54', after: 0, items: [['A', '$1', 'C', 'D']] }),
    ).to.match(/^Added n2, n3, n4, n6\. Done\n\[g54\.0\] s67/);
    await done('set_texts', { slug, edits: [{ id: 's67', text: 'Atlas Two' }] });
    expect(changed().get('pricing.html')).to.match(/<h3>Atlas Two<\/h3>[^]*<h3>A<\/h3>/);
  });

  it('stay with a group whose first entry goes with a deleted page', async () => {
    const { done } = openModelTools(demo, pages);
    const chrome = await done('read_page', { slug, part: 'chrome' });
    const [, group, first] = /\[(g\d+)\.0\] \S+ a\((\/[^)]*)\)/.exec(chrome)!;
    await done('delete_page', { slug: first, links: 'remove' });
    expect(await done('read_page', { slug, part: 'chrome' })).to.match(
      new RegExp(`\\[${group}\\.0\\]`),
    );
    await done('remove_items', { slug, group, indexes: [0] });
  });
});
