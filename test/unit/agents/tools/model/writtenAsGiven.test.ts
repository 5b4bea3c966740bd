import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const open = () => openModelTools(demo, pages);
const set = (texts: Record<string, string>) => ({
  slug,
  edits: Object.entries(texts).map(([id, text]) => ({ id, text })),
});

describe('a text without marks, where links stood', () => {
  it('is refused where a link has no place in it, before anything is written', async () => {
    const { refusal, changed } = open();
    const texts = { s56: '$1', s128: 'We also draw marks from $3,200.' };
    expect(await refusal('set_texts', set(texts))).to.equal(
      's128 has 2 parts: keep <1>…</1> and <2>…</2>, or take a link away by set_link with an empty target',
    );
    expect(changed().size).to.equal(0);
  });

  it('is fitted where the words of the links occur in it', async () => {
    const { done, changed } = open();
    await done('set_texts', set({ s128: 'Our brand identity is new, and so is each care plan.' }));
    expect(changed().get('pricing.html')).to.match(
      /Our <a [^>]*>brand identity<\/a> is new, and so is each <a [^>]*>care plan<\/a>\./,
    );
  });

  it('keeps icons and line breaks, which are no words', async () => {
    const body = '<p>See <a href="b.html">all →</a> of it</p><p>One<br>two <i class="x"></i></p>';
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title></head><body><h1>A</h1>${body}</body></html>`,
    });
    const { done, refusal } = openModelTools(tree, pages);
    const outline = await done('read_page', { slug: '/' });
    const [, first] = /(\S+) p See/.exec(outline)!;
    const [, second] = /(\S+) p One/.exec(outline)!;
    const edit = (id: string, text: string) => ({ slug: '/', edits: [{ id, text }] });
    expect(await done('set_texts', edit(second!, 'Three four five'))).to.match(/^1 written/);
    expect(await refusal('set_texts', edit(first!, 'Look at it'))).to.match(
      /^s\d+ has 1 part: keep <1>…<\/1>, or take/,
    );
  });
});

describe('numbers in structured data, for a language model', () => {
  it('follow no text that is the same by chance', async () => {
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title>
<script type="application/ld+json">{"@type":"Product","name":"Kit","offers":{"@type":"Offer","name":"Kit","price":"On request","priceCurrency":"USD"}}</script>
</head><body><h1>A</h1><h2>Kit</h2><p>On request</p></body></html>`,
    });
    const { done, changed } = openModelTools(tree, pages);
    const outline = await done('read_page', { slug: '/' });
    expect(outline).to.contain('offers.price On request');
    const [, id] = /(\S+) p On request/.exec(outline)!;
    const edits = [{ id, text: '$9,900' }];
    expect(await done('set_texts', { slug: '/', edits })).not.to.contain('followed');
    expect(changed().get('index.html'))
      .to.contain('"price":"On request"')
      .and.to.contain('<p>$9,900</p>');
  });

  it('follow as telephone numbers, which are no numbers to count with', async () => {
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title>
<script type="application/ld+json">{"@type":"Store","telephone":"Call 555 0100 200"}</script>
</head><body><h1>A</h1><p>Call 555 0100 200</p></body></html>`,
    });
    const { done, changed } = openModelTools(tree, pages);
    const [, id] = /(\S+) p Call/.exec(await done('read_page', { slug: '/' }))!;
    await done('set_texts', { slug: '/', edits: [{ id, text: 'Call 555 0100 300' }] });
    expect(changed().get('index.html')).to.contain('"telephone":"Call 555 0100 300"');
  });

  it('are refused as prices where they are none', async () => {
    const { done, refusal, changed } = open();
    for (const text of ['on request', 'three', 'from 3 hours'])
      expect(await refusal('set_texts', set({ s56: '$1', 's22.7': text })), text).to.match(
        /^s22\.7: "[^"]+" is no price: structured data has it as a number, such as "4800"$/,
      );
    expect(changed().size).to.equal(0);
    for (const text of ['5000', '4,900.50', '€9', 'EUR 12'])
      expect(await done('set_texts', set({ 's22.7': text })), text).to.match(/^1 written/);
  });
});

describe('the note on structured data that names what was removed', () => {
  const shop = (rest: string) =>
    memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title>
<script type="application/ld+json">{"@type":"Organization","name":"Acme","slogan":"Kit"}</script>
</head><body><h1>A</h1><section><h2>Box</h2><p>Kit</p></section><section><h2>All</h2><p>${rest}</p></section></body></html>`,
    });
  const removed = async (rest: string) => {
    const tools = openModelTools(shop(rest), pages);
    const outline = await tools.done('read_page', { slug: '/' });
    const [, section] = /(\S+) h2 Box/.exec(outline)!;
    await tools.done('remove_section', { slug: '/', section });
    return { ...tools, outline, notes: () => tools.workspace.warnings() };
  };
  const note = '/: the structured data still names what was removed';

  it('is told only where no text of the page shows it any more', async () => {
    expect(await (await removed('Other')).notes()).to.deep.equal([note]);
    expect(await (await removed('Kit')).notes()).to.deep.equal([]);
  });

  it('goes where a text shows it again', async () => {
    const { done, outline, notes } = await removed('Other');
    const [, id] = /(\S+) p Other/.exec(outline)!;
    await done('set_texts', { slug: '/', edits: [{ id, text: 'Kit' }] });
    expect(await notes()).to.deep.equal([]);
  });
});

describe('the note on a text that names what was removed', () => {
  const notesOn = async (rest: string) => {
    const body = `<h1>A</h1><section><h2>Plans</h2><div><article><h3>Solo</h3><p>$10 a month</p></article><article><h3>Team</h3><p>$20 a month</p></article></div></section><section><h2>More</h2>${rest}</section>`;
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title></head><body><nav><a href="/">Team</a></nav><main>${body}</main></body></html>`,
    });
    const { done, workspace } = openModelTools(tree, pages);
    const [, group] = /\[(g\d+)\.1\*?\] \S+ h3 Team/.exec(await done('read_page', { slug: '/' }))!;
    await done('remove_items', { slug: '/', group, indexes: [1] });
    return { done, notes: () => workspace.warnings() };
  };

  it('is told of a text that is the name, until that goes too', async () => {
    const { done, notes } = await notesOn(
      '<table><tr><th>Plan</th><th>Solo</th><th>Team</th></tr><tr><td>Seats</td><td>1</td><td>9</td></tr></table>',
    );
    const [note, ...others] = await notes();
    expect(others).to.deep.equal([]);
    expect(note).to.equal('/: a table cell still names "Team", which was removed');
    const named = /(s\d+) th Team/.exec(await done('read_page', { slug: '/' }))![1]!;
    await done('set_texts', { slug: '/', edits: [{ id: named, text: 'Others' }] });
    expect(await notes()).to.deep.equal([]);
  });

  for (const [what, rest] of [
    ['a word of a sentence', '<p>Our Team answers within a day.</p>'],
    ['a link', '<p><a href="/team">Team</a></p>'],
    ['a heading of the same level', '<h3>Team</h3><p>Ann and Bo.</p>'],
    ['a text of the removed item that another item has too', '<p>$20 a month</p>'],
  ] as const)
    it(`is not told of ${what}`, async () => {
      expect(await (await notesOn(rest)).notes()).to.deep.equal([]);
    });
});

describe('a call that would change nothing', () => {
  const css = { 'a.css': 'a { color: #fff }', 'index.html': '<h1>Kit</h1>' };
  for (const [name, args] of [
    ['replace_text', { from: 'Kit', to: 'Kit' }],
    ['edit_file', { path: 'a.css', find: '#fff', replace: '#fff' }],
    ['replace_colour', { from: '#fff', to: '#fff' }],
    ['replace_colour', { from: '#fff', to: 'white' }],
  ] as const)
    it(`is refused: ${name} ${JSON.stringify(args)}`, async () => {
      const { refusal, changed } = openModelTools(memoryTree(css), pages);
      expect(await refusal(name, args)).to.match(/the same.*: there is nothing to change$/);
      expect(changed().size).to.equal(0);
    });
});

describe('what add_items says of its texts', () => {
  it('names them by their places in the call', async () => {
    const { done, refusal } = open();
    const add = (...items: string[][]) => ({ slug, group: 'g54', after: 0, items });
    const good = ['A', '$1', 'C', 'D'];
    expect(await done('add_items', add(good, ['A', '$1', '<i>C</i>', 'D']))).to.contain(
      'items[1][2]: "<i>" is shown',
    );
    expect(await refusal('add_items', add(good, ['A', ' ', 'C', 'D']))).to.match(
      /^items\[1\]\[1\] would be blank/,
    );
  });
});
