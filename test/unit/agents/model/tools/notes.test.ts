import { expect } from 'chai';
import { brokenLinksSentence } from '../../../../../src/agents/shared/site/taskWarnings.ts';
import { remainingValueSentence } from '../../../../../src/agents/shared/tools/addReplacedValueNotes.ts';
import { remainderSentences } from '../../../../../src/agents/shared/tools/editTexts.ts';
import { memoryTree } from '../../memoryTree.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { demo, openModelTools } from './site.ts';

const page = (title: string, body: string, head = '') =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title>${head}</head>\n<body><main>${body}</main></body></html>\n`;
const data = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** A page of which every tool leaves something behind. */
const shop = () =>
  memoryTree({
    'index.html': page(
      'Acme',
      '<h1>Acme</h1><section id="offer"><h2>Offer</h2><p>A drill for $10.</p></section>' +
        '<section><h2>More</h2><p>ACME ships. <a href="/plans">Acme plans</a></p>' +
        '<p>Write to <a href="mailto:hi@acme.example">hi@acme.example</a> or +1 512 555 0142, 512-555-0142.</p></section>',
      data({
        '@type': 'Product',
        name: 'Drill',
        description: 'A drill for $10.',
        offers: { price: '10' },
      }),
    ),
    'plans.html': page(
      'Plans',
      '<h1>Plans</h1><p><a href="/#offer">To the offer</a></p><ul><li><a href="/">One</a></li><li><a href="/about">Two</a></li></ul>',
      data({ '@type': 'ItemList', itemListElement: ['One', 'Two'] }),
    ),
    'about.html': page('About', '<h1>About</h1><p>Us.</p>'),
  });

describe('notes for a language model', () => {
  const open = (tree = shop()) => {
    const { done, workspace, ...rest } = openModelTools(tree, pages);
    /** The lines on notes in a tool's answer. */
    const lines = async (name: string, args: object) =>
      (await done(name, args)).split('\n').filter((line) => /^(?:Note|No longer so): /.test(line));
    const edit = (slug: string, ...edits: [old: string, now: string][]) =>
      lines('edit_html', { slug, edits: edits.map(([old, now]) => ({ old, new: now })) });
    return { done, lines, edit, workspace, notes: () => workspace.warnings(), ...rest };
  };
  const note = (text: string) => [`Note: ${text}`];
  const gone = (text: string) => [`No longer so: ${text}`];

  it('are in the answer of the call that caused them, and are resolved by the call that fixes them', async () => {
    const { lines, edit, notes } = open();
    const says = `/: ${remainingValueSentence({ role: 'structured-data', text: '10' }, '10')}`;
    expect(await lines('replace_text', { slug: '/', from: '$10', to: '$12' })).to.deep.equal(
      note(says),
    );
    expect(await notes()).to.deep.equal([says]);
    expect(await lines('read_page', { slug: '/' }), 'said once').to.deep.equal([]);
    expect(await edit('/', ['"price":"10"', '"price":"12"'])).to.deep.equal(gone(says));
    expect(await notes()).to.deep.equal([]);
  });

  it('name the old values that a replacement left, until they are fixed', async () => {
    const { lines, edit, notes } = open();
    const otherCase = `/: ${remainderSentences.otherCase('Acme')}`;
    const address = remainderSentences.address('hi@acme.example');
    expect(await lines('replace_text', { slug: '/', from: 'Acme', to: 'Brick' })).to.have.members([
      ...note(otherCase),
      ...note(address),
    ]);
    expect(await edit('/', ['ACME ships', 'BRICK ships'])).to.deep.equal(gone(otherCase));
    await edit('/', ['mailto:hi@acme.example', 'mailto:hi@brick.example']);
    expect(
      await lines('replace_text', { slug: '/', from: 'hi@acme.example', to: 'hi@brick.example' }),
    ).to.deep.equal(gone(address));
    expect(await notes()).to.deep.equal([]);
  });

  it('name links to a deleted page, until they lead elsewhere or the page is back', async () => {
    const { lines, edit, notes, done } = open();
    const broken = brokenLinksSentence('/about', ['/plans']);
    expect(await lines('delete_page', { slug: '/about' })).to.deep.equal(note(broken));
    await done('create_page', { slug: '/about', from: '/plans' });
    expect(await notes()).to.deep.equal([]);
    expect(await lines('delete_page', { slug: '/about' })).to.deep.equal(note(broken));
    expect(await edit('/plans', ['"/about">Two', '"/">Two'])).to.deep.equal(gone(broken));
  });

  it('contain no line break of a page, and are few in one answer', async () => {
    const item = (n: number) =>
      [`p${n}.html`, page(`P${n}`, `<h1>P</h1><p>Acme and ACME</p>`)] as const;
    const tree = memoryTree({
      'index.html': page('Home', '<h1>Home</h1><p>Old\nName and old\nname.</p>'),
      ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => item(n))),
    });
    const { done } = open(tree);
    const answer = await done('replace_text', { from: 'Acme', to: 'Brick' });
    expect(answer.match(/^Note: /gm)).to.have.length(20);
    expect(answer).to.match(/\n10 more notes$/);
  });

  it('make no answer longer on the demo site', async () => {
    const { lines } = open(demo);
    expect(await lines('list_pages', {})).to.deep.equal([]);
  });
});
