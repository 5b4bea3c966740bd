import { expect } from 'chai';
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

describe('notes, for a language model', () => {
  const open = (tree = shop()) => {
    const { done, workspace, ...rest } = openModelTools(tree, pages);
    /** The lines on notes in a tool's answer. */
    const lines = async (name: string, args: object) =>
      (await done(name, args)).split('\n').filter((line) => /^(?:Note|No longer so): /.test(line));
    const idOf = async (slug: string, words: RegExp) =>
      words.exec(await done('read_page', { slug }))![1]!;
    return { done, lines, idOf, workspace, notes: () => workspace.warnings(), ...rest };
  };
  const note = (text: string) => [`Note: ${text}`];
  const gone = (text: string) => [`No longer so: ${text}`];

  it('are in the answer of the call that caused them, and are settled by the call that mends them', async () => {
    const { lines, idOf, notes } = open();
    const says = '/: the structured data still states "10"';
    expect(await lines('replace_text', { slug: '/', from: '$10', to: '$12' })).to.deep.equal(
      note(says),
    );
    expect(await notes()).to.deep.equal([says]);
    expect(await lines('read_page', { slug: '/' }), 'said once').to.deep.equal([]);
    const id = await idOf('/', /(\S+) offers\.price/);
    expect(await lines('set_texts', { slug: '/', edits: [{ id, text: '12' }] })).to.deep.equal(
      gone(says),
    );
    expect(await notes()).to.deep.equal([]);
  });

  it('say which amounts data still states that a written text showed, until it does no more', async () => {
    const { lines, idOf, notes } = open(
      memoryTree({
        'index.html': page(
          'Acme',
          '<h1>Acme</h1><h2>Drill</h2><p>$10</p><h2>Saw</h2><p>$20</p><p>From $20</p>',
          data({ '@type': 'Product', name: 'Tools', offers: [{ price: '10' }, { price: '20' }] }),
        ),
      }),
    );
    const says = '/: the structured data still states "10"';
    const [drill, saw] = [await idOf('/', /(\S+) p \$10/), await idOf('/', /(\S+) p \$20/)];
    const edits = [
      { id: drill, text: 'On request' },
      { id: saw, text: 'Sold out' }, // "From $20" is still there
    ];
    const from = await idOf('/', /(\S+) p From/);
    const shown = '/: the paragraph "From $20" still shows "$20"';
    expect(await lines('set_texts', { slug: '/', edits })).to.deep.equal([
      ...note(says),
      ...note(shown),
    ]);
    const id = await idOf('/', /(\S+) offers\[0\]\.price/);
    expect(await lines('set_texts', { slug: '/', edits: [{ id, text: '12' }] })).to.deep.equal(
      gone(says),
    );
    const mended = [{ id: from, text: 'From $30' }];
    expect(await lines('set_texts', { slug: '/', edits: mended })).to.deep.equal([
      // nothing else shows it now
      ...note('/: the structured data still states "20"'),
      ...gone(shown),
    ]);
    expect(await notes()).to.deep.equal(['/: the structured data still states "20"']);
  });

  it('say an amount of data that otherwise only the head still shows', async () => {
    const { lines, idOf } = open(
      memoryTree({
        'index.html': page(
          'Acme',
          '<h1>Acme</h1><h2>Drill</h2><p>$10</p>',
          '<meta name="description" content="Drill $10, saw $20">' +
            data({ '@type': 'Product', description: 'Drill $10', offers: [{ price: '10' }] }),
        ),
      }),
    );
    const edits = [{ id: await idOf('/', /(\S+) p \$10/), text: '$12' }];
    expect(await lines('set_texts', { slug: '/', edits })).to.deep.equal([
      ...note('/: the description still shows "$10"'),
      ...note('/: the structured data still states "$10"'),
      ...note('/: the structured data still states "10"'),
    ]);
  });

  for (const [how, shown, data] of [
    [
      'fields',
      '15:00',
      { openingHoursSpecification: [{ dayOfWeek: 'Friday', opens: '09:00', closes: '15:00' }] },
    ],
    ['a line', 'Fr 09:00-15:00', { openingHours: ['Fr 09:00-15:00'] }],
  ] as const)
    it(`say which times data still states in ${how} that the texts show no more`, async () => {
      const tree = () =>
        memoryTree({
          'index.html': page(
            'Acme',
            '<h1>Acme</h1><h2>Friday</h2><p>9:00 am – 3:00 pm</p>',
            `<script type="application/ld+json">${JSON.stringify({ '@type': 'Store', ...data })}</script>`,
          ),
        });
      const says = `/: the structured data still states the hours "${shown}"`;
      const { lines, idOf, notes } = open(tree());
      const edits = [{ id: await idOf('/', /(\S+) p 9:00/), text: '9:00 am – 5:30 pm' }];
      expect(await lines('set_texts', { slug: '/', edits })).to.deep.equal(note(says));
      const id = await idOf('/', /(\S+) opening\S*(?:closes|\[0\]) (?:15:00|Fr)/);
      const mended = [{ id, text: shown.replace('15:00', '17:30') }];
      expect(await lines('set_texts', { slug: '/', edits: mended })).to.deep.equal(gone(says));
      expect(await notes()).to.deep.equal([]);
      const replaced = { slug: '/', from: '3:00 pm', to: '7:00 pm' };
      expect(await open(tree()).lines('replace_text', replaced)).to.deep.equal(note(says));
    });

  it('say what a replacement left, until that is mended', async () => {
    const { lines, idOf, notes, done } = open();
    const otherCase = '/: "Acme" also stands there in another case, which was left as it is';
    const link = '/: the link "Brick plans" still leads to /plans';
    const address = 'the address "hi@acme.example" has the old name, and was left as it is';
    expect(
      await lines('replace_text', { slug: '/', from: 'Acme', to: 'Brick', addresses: true }),
    ).to.have.members([...note(link), ...note(otherCase), ...note(address)]);
    const ships = await idOf('/', /(\S+) p ACME ships/);
    expect(
      await lines('set_texts', {
        slug: '/',
        edits: [{ id: ships, text: 'BRICK ships. <1>Brick plans</1>' }],
      }),
    ).to.deep.equal(gone(otherCase));
    expect(await lines('set_link', { slug: '/', id: ships, target: '/about' })).to.deep.equal(
      gone(link),
    );
    const mail = await idOf('/', /(\S+) p Write to/);
    await done('set_link', { slug: '/', id: mail, target: 'mailto:hi@brick.example' });
    expect(
      await lines('replace_text', { slug: '/', from: 'hi@acme.example', to: 'hi@brick.example' }),
    ).to.deep.equal(gone(address));
    const number = '/: the number also stands there as "512-555-0142", which was left as it is';
    expect(
      await lines('replace_text', { from: '+1 512 555 0142', to: '+1 512 555 0100' }),
    ).to.deep.equal(note(number));
    expect(await lines('replace_text', { from: '512-555-0142', to: '512-555-0100' })).to.deep.equal(
      gone(number),
    );
    expect(await notes()).to.deep.equal([]);
  });

  it('name links to what was removed, and data that still names it', async () => {
    const { lines, idOf, notes } = open();
    const link = '/plans: the link "To the offer" leads to "/#offer", which was removed';
    const still = '/: the structured data still names what was removed';
    const section = await idOf('/', /(\S+) h2 Offer/);
    expect(await lines('remove_section', { slug: '/', section })).to.have.members([
      ...note(link),
      ...note(still),
    ]);
    const words = await idOf('/', /(s\d\S*) description/);
    expect(
      await lines('set_texts', { slug: '/', edits: [{ id: words, text: 'A saw.' }] }),
    ).to.deep.equal(gone(still));
    const to = await idOf('/plans', /(\S+) a\(\/#offer\)/);
    expect(await lines('set_link', { slug: '/plans', id: to, target: '/about' })).to.deep.equal(
      gone(link),
    );
    expect(await notes()).to.deep.equal([]);
  });

  it('name what a new item has of its model, under the slug that the page has in the end', async () => {
    const { lines, idOf, notes, done, workspace } = open();
    const group = await idOf('/plans', /\[(g\d+)\.0\]/);
    const copied = 'the new item leads to /about, as the one that it was made from';
    const silent = 'the structured data says nothing of the new item';
    expect(
      await lines('add_items', { slug: '/plans', group, after: 1, items: [['Three']] }),
    ).to.have.members([...note(`/plans: ${copied}`), ...note(`/plans: ${silent}`)]);
    await done('move_page', { slug: '/plans', to: '/offers' });
    expect(await notes()).to.have.members([`/offers: ${copied}`, `/offers: ${silent}`]);
    expect((await workspace.notes()).map(({ page }) => page)).to.deep.equal(['/offers', '/offers']);
    const added = await idOf('/offers', /(\S+) a\(\S+\) Three/);
    await done('set_link', { slug: '/offers', id: added, target: '/' });
    expect(await notes()).to.deep.equal([`/offers: ${silent}`]);
    await done('delete_page', { slug: '/offers', links: 'remove' });
    expect(await notes()).to.deep.equal([]);
  });

  it('name links to a page that is gone, until they lead elsewhere or it is back', async () => {
    const { lines, idOf, notes, done } = open();
    const broken = '/about was deleted, but is still linked from /plans';
    expect(await lines('delete_page', { slug: '/about' })).to.deep.equal(note(broken));
    await done('create_page', { slug: '/about', from: '/plans' });
    expect(await notes()).to.deep.equal([]);
    expect(await lines('delete_page', { slug: '/about' })).to.deep.equal(note(broken));
    const id = await idOf('/plans', /(\S+) a\(\/about\)/);
    expect(await lines('set_link', { slug: '/plans', id, target: '/' })).to.deep.equal(
      gone(broken),
    );
  });

  it('are neither new nor gone where a move or fewer pages only reword them', async () => {
    const { lines, notes, done } = open(
      memoryTree({
        'index.html': page(
          'Acme',
          '<h1>Acme</h1><p>Acme ships. ACME</p><a href="/plans">To plans</a>',
        ),
        'about.html': page('About', '<h1>About</h1><p>Acme. ACME</p><a href="/plans">To plans</a>'),
        'plans.html': page('Plans', '<h1>Plans</h1><p>Plans.</p>'),
      }),
    );
    await done('replace_text', { slug: '/about', from: 'Acme', to: 'Brick' });
    await done('delete_page', { slug: '/plans' });
    const broken = '/plans was deleted, but is still linked from';
    const otherCase = 'the text also stands there in another case';
    expect(await lines('move_page', { slug: '/about', to: '/us' }), otherCase).to.deep.equal([]);
    expect(await notes()).to.include(`${broken} /, /us`);
    const answer = await lines('delete_page', { slug: '/us' });
    expect(answer).to.include(`Note: ${broken} /`);
    expect(
      answer.filter((line) => line.includes('No longer so') && line.includes(broken)),
    ).to.deep.equal([]);
  });

  it('hold no line break of a page, and are few in one answer', async () => {
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

  it('cost no answer more on the demo site', async () => {
    const { lines } = open(demo);
    for (const name of ['list_pages', 'read_styles'])
      expect(await lines(name, {})).to.deep.equal([]);
  });
});
