import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const blank = ['', '   ', '\u00a0', '\u200b', '\u2060\ufeff', '\u00ad', '\t\n', '\u3164', '\u2800'];

describe('blank texts, of a language model', () => {
  const open = () => openModelTools(demo, pages);
  const set = (id: string, text: string) => ({ slug, edits: [{ id, text }] });

  for (const text of blank)
    it(`are refused, with what to do instead: ${JSON.stringify(text)}`, async () => {
      const { refusal, changed } = open();
      expect(await refusal('set_texts', set('s56', text))).to.match(
        /^s56 would be blank: remove_items and remove_section/,
      );
      const item = { slug, group: 'g54', after: 0, items: [['A', text, 'C', 'D']] };
      expect(await refusal('add_items', item)).to.match(/^items\[0\]\[1\] would be blank: /);
      expect(await refusal('replace_text', { slug, from: '$4,800', to: text })).to.match(
        /would be blank/,
      );
      expect(changed().size).to.equal(0);
    });

  it('are refused in titles, descriptions and structured data', async () => {
    const { refusal, changed } = open();
    expect(await refusal('set_texts', set('s4', ' '))).to.match(
      /^s4 would be blank: a page needs a title/,
    );
    expect(await refusal('set_texts', set('s5.content', ' '))).to.match(
      /write what the page is about/,
    );
    expect(await refusal('set_texts', set('s22.6', ' '))).to.match(
      /^s22\.6 would be blank: write what is true/,
    );
    expect(await refusal('set_texts', set('s22.6', '—'))).to.match(
      /^s22\.6 needs a letter or a number/,
    );
    expect(changed().size).to.equal(0);
  });

  it('are refused where only parts are left, and where a link would have no text', async () => {
    const { refusal, changed } = open();
    expect(await refusal('set_texts', set('s128', '<1></1> <2> </2>'))).to.match(
      /^s128 would be blank/,
    );
    expect(await refusal('set_texts', set('s128', 'Try <1></1> or <2>care</2>'))).to.match(
      /^s128 would have a link without a text, part 1: .*set_link with an empty target/,
    );
    expect(changed().size).to.equal(0);
  });

  it('take words out of longer texts, in any case', async () => {
    const { done, changed } = open();
    await done('replace_text', { slug, from: 'really', to: '', keepCase: true });
    expect(changed().get('pricing.html')).to.contain('Is the price fixed?');
  });

  it('are no texts without letters: these can be written again', async () => {
    const { done, changed } = open();
    for (const text of ['—', '✓', '★★★★★', '…'])
      expect(await done('set_texts', set('s56', text))).to.match(/^1 written/);
    expect(await done('read_page', { slug })).to.match(/^s56 p …$/m);
    const added = await done('add_items', {
      slug,
      group: 'g54',
      after: 0,
      like: 0,
      items: [['A', '—', 'C', 'D']],
    });
    expect(added).to.match(/\[g54\.1\*?\] n2 h3 A\nn3 p —\nn4 p C\n/);
    await done('set_texts', {
      slug,
      edits: [
        { id: 's56', text: '$1' },
        { id: 'n3', text: '$2' },
      ],
    });
    expect(changed().get('pricing.html')).to.match(
      /<p class="amount">\$1<\/p>[^]*<p class="amount">\$2<\/p>/,
    );
  });

  it('without letters stay texts inside of other elements', async () => {
    const { done, changed } = openModelTools(
      memoryTree({
        'index.html':
          '<!doctype html><html><body><h1>A</h1><table><tr><td><strong>$5</strong></td></tr></table></body></html>',
      }),
      pages,
    );
    const [, id] = /(\S+) td \$5/.exec(await done('read_page', { slug: '/' }))!;
    await done('set_texts', { slug: '/', edits: [{ id: id!, text: '–' }] });
    await done('set_texts', { slug: '/', edits: [{ id: id!, text: '$6' }] });
    expect(changed().get('index.html')).to.contain('<td><strong>$6</strong></td>');
  });
});

describe('what a language model is told of its texts', () => {
  const open = () => openModelTools(demo, pages);
  const says = async (id: string, text: string) => {
    const { done } = open();
    return done('set_texts', { slug, edits: [{ id, text }] });
  };

  for (const [text, mark] of [
    ['<b>Three</b> prices', '<b>'],
    ['Three&nbsp;prices', '&nbsp;'],
    ['Three<br>prices', '<br>'],
    ['**Three** prices', '**Three**'],
    ['[Three](/about) prices', '[Three](/about)'],
  ] as const)
    it(`names markup that is shown as it stands: ${mark}`, async () => {
      expect(await says('s48', text)).to.contain(`; s48: "${mark}" is shown as these characters`);
    });

  it('names no markup where there is none', async () => {
    for (const text of ['5 < 6 & 7 > 3', 'AT&T', 'Write to <ola@acme.example>', '2 * 3 * 4'])
      expect(await says('s48', text)).not.to.contain('characters;');
  });

  it('names a price that is none any more', async () => {
    expect(await says('s56', 'Three')).to.contain(
      's56 has no price any more: "$4,800" is now "Three"',
    );
    expect(await says('s56', '€5,000')).not.to.contain('any more');
    expect(await says('s22.7', '5000')).not.to.contain('any more');
  });

  it('names them for new items and replaced texts too', async () => {
    const { done } = open();
    const item = { slug, group: 'g54', after: 0, items: [['A', 'cheap', '<i>C</i>', 'D']] };
    expect(await done('add_items', item)).to.match(
      /items\[0\]\[1\] has no price any more: "\$18,000" is now "cheap"\. items\[0\]\[2\]: "<i>" is shown/,
    );
    expect(await done('replace_text', { slug, from: '$4,800', to: 'much' })).to.contain(
      'has no price any more',
    );
  });

  it('names telephone numbers, e-mail addresses and dates that are none any more', async () => {
    const { done } = openModelTools(
      memoryTree({
        'index.html':
          '<!doctype html><html><body><h1>A</h1><p>+1 512 555 0142</p><p>ola@acme.example</p><p>12 May 2025</p></body></html>',
      }),
      pages,
    );
    const outline = await done('read_page', { slug: '/' });
    const ids = [/(\S+) p \+1/, /(\S+) p ola/, /(\S+) p 12 May/].map(
      (line) => line.exec(outline)![1]!,
    );
    const answer = await done('set_texts', {
      slug: '/',
      edits: ids.map((id) => ({ id, text: 'soon' })),
    });
    for (const kind of ['telephone number', 'e-mail address', 'date'])
      expect(answer).to.contain(`has no ${kind} any more: `);
  });
});

describe('add_items with like', () => {
  it('copies the member that it names', async () => {
    const { done, refusal, changed } = openModelTools(
      memoryTree({
        'index.html':
          '<!doctype html><html><body><h1>A</h1><ul><li class="card"><h3>One</h3><p>First</p></li><li class="card hot"><h3>Two</h3><p>Second</p><p>Best</p></li><li class="card"><h3>Three</h3><p>Third</p></li></ul></body></html>',
      }),
      pages,
    );
    const [, group] = /\[(g\d+)\.0\]/.exec(await done('read_page', { slug: '/' }))!;
    const item = { slug: '/', group, after: 2, like: 1 };
    expect(await refusal('add_items', { ...item, items: [['Four', 'Fourth']] })).to.match(
      /has 3 texts .*"Two".* and 2 are given/,
    );
    expect(await refusal('add_items', { ...item, like: 7, items: [['a', 'b', 'c']] })).to.match(
      /members 0 to 2, none with 7/,
    );
    await done('add_items', { ...item, items: [['Four', 'Fourth', 'New']] });
    expect(changed().get('index.html')).to.contain(
      '<p>Third</p></li><li class="card hot"><h3>Four</h3><p>Fourth</p><p>New</p></li></ul>',
    );
  });
});
