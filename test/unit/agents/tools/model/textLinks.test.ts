import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { openSite } from '../../../../eval/sites.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const page = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title></head><body>\n<nav><a href="index.html">Home</a> <a href="b.html">Team</a></nav>\n<main><h1>Acme &amp; Co</h1>\n${body}\n</main></body></html>\n`;
const SLOT = 's9';

/** The page with one element, after calls on its first text. */
async function linked(body: string, ...calls: object[]) {
  const { done, changed } = openModelTools(
    memoryTree({ 'index.html': page(body), 'b.html': page('<p id="us">B</p>') }),
    pages,
  );
  let answer = '';
  for (const call of calls) answer = await done('set_link', { slug: '/', id: SLOT, ...call });
  const now = changed().get('index.html') ?? page(body);
  const [start, end] = page('\0').split('\0') as [string, string];
  expect(now.startsWith(start) && now.endsWith(end)).to.equal(true);
  return { body: now.slice(start.length, -end.length), answer };
}

const made: Record<string, [body: string, words: string, now: string]> = {
  'words of a paragraph': [
    '<p>Call us today</p>',
    'us',
    '<p>Call <a href="b.html">us</a> today</p>',
  ],
  'words of a list item': [
    '<ul><li>Our prices</li></ul>',
    'prices',
    '<ul><li>Our <a href="b.html">prices</a></li></ul>',
  ],
  'words of a heading': ['<h2>The team</h2>', 'team', '<h2>The <a href="b.html">team</a></h2>'],
  'words of a cell': [
    '<table><tbody><tr><td>See terms</td><td>1</td></tr></tbody></table>',
    'terms',
    '<table><tbody><tr><td>See <a href="b.html">terms</a></td><td>1</td></tr></tbody></table>',
  ],
  'words around a part': [
    '<p>Call <b>us</b> today</p>',
    'Call us',
    '<p><a href="b.html">Call <b>us</b></a> today</p>',
  ],
  'words in a part': [
    '<p>Call <b>us now</b> today</p>',
    'now',
    '<p>Call <b>us <a href="b.html">now</a></b> today</p>',
  ],
  'the words of a part': [
    '<p>Call <b>us</b> today</p>',
    'us',
    '<p>Call <b><a href="b.html">us</a></b> today</p>',
  ],
  'words with characters of HTML': [
    '<p>Black &amp; white &lt;3 it</p>',
    'Black & white <3',
    '<p><a href="b.html">Black &amp; white &lt;3</a> it</p>',
  ],
  'words over two lines': [
    '<p>Call\n  us today</p>',
    'Call us',
    '<p><a href="b.html">Call us</a> today</p>',
  ],
  'words of another script': [
    '<p>Ring 👩‍💻 Zoë</p>',
    '👩‍💻 Zoë',
    '<p>Ring <a href="b.html">👩‍💻 Zoë</a></p>',
  ],
};

describe('set_link with words', () => {
  for (const [what, [body, words, now]] of Object.entries(made))
    it(`makes a link of ${what}`, async () => {
      const id = body.startsWith('<ul') ? 's10' : body.startsWith('<table') ? 's12' : SLOT;
      const made = await linked(body, { id, words, target: '/b' });
      expect(made.body).to.equal(now);
      expect(made.answer)
        .to.match(/^Leads to \/b\n/)
        .and.to.contain(` ${id} `.trimStart());
      expect(made.answer).to.contain('a(/b)@n1');
    });

  it('and the other way: the page is then as it was', async () => {
    const body = '<p>Call <b>us now</b> today</p>';
    const { body: now, answer } = await linked(
      body,
      { words: 'now', target: '/b' },
      { id: 'n1', target: '' },
    );
    expect(now).to.equal(body);
    expect(answer).to.equal('Took the link away\ns9 p Call <1>us now</1> today {1 b}');
  });

  it('takes the style of the other links, and every kind of target that links have', async () => {
    const body = '<p>Call us</p>';
    for (const [target, href] of [
      ['/b#us', 'b.html#us'],
      ['https://a.example/?a=1&b="2"', undefined],
      ['https://a.example/?a=1&b=2', 'https://a.example/?a=1&amp;b=2'],
      ['mailto:a@a.example', 'mailto:a@a.example'],
      ['tel:+15125550142', 'tel:+15125550142'],
    ] as const) {
      const work = linked(body, { words: 'us', target });
      if (href === undefined)
        await work.then(
          () => expect.fail(),
          (error: Error) => expect(error.message).to.contain('a link leads to'),
        );
      else expect((await work).body).to.equal(`<p>Call <a href="${href}">us</a></p>`);
    }
  });

  it('keeps the ids of a text that is a link as a whole, and of its group', async () => {
    const body = '<ul><li>One</li><li>Two</li><li>Three</li></ul>';
    const files = { 'index.html': page(body), 'b.html': page('<p>B</p>') };
    const { done, changed } = openModelTools(memoryTree(files), pages);
    const read = () => done('read_page', { slug: '/' });
    const group = /\[(g\d+)\.0/.exec(await read())![1]!;
    await done('set_link', { slug: '/', id: 's10', words: 'One', target: '/b' });
    expect(await read()).to.match(/s10 (?:li )?a\(\/b\)(?:@\S+)? One/);
    await done('set_texts', {
      slug: '/',
      edits: [
        { id: 's10', text: 'Uno' },
        { id: 's11', text: 'Due' },
      ],
    });
    expect(changed().get('index.html')).to.contain(
      '<ul><li><a href="b.html">Uno</a></li><li>Due</li>',
    );
    await done('set_link', { slug: '/', id: 's10', target: '' });
    expect(changed().get('index.html')).to.contain('<ul><li>Uno</li><li>Due</li>');
    await done('set_texts', { slug: '/', edits: [{ id: 's10', text: 'One' }] });
    await done('remove_items', { slug: '/', group, indexes: [2] });
    expect(changed().get('index.html')).to.contain('<ul><li>One</li><li>Due</li></ul>');
  });

  it('is refused where no link can stand, with the reason, and nothing changes', async () => {
    const body =
      '<p>See <a href="b.html">our team</a> and <b>us</b> and us</p><button>Send it</button><a class="btn" href="b.html">Buy now</a><img src="x.png" alt="A dog"><details><summary>Ask me</summary></details>';
    const { done, refusal, workspace } = openModelTools(
      memoryTree({ 'index.html': page(body), 'b.html': page('') }),
      pages,
    );
    const outline = await done('read_page', { slug: '/' });
    const idOf = (text: string) =>
      new RegExp(`(\\S+)[^\\n]* ${text}`).exec(outline)![1]!.split(']').at(-1)!;
    const text = idOf('See');
    for (const [args, says] of [
      [{ id: text, words: 'team' }, /are in a link/],
      [{ id: text, words: 'See our team' }, /hold or are in a link/],
      [{ id: text, words: 'our team and' }, /hold or are in a link|inside of a part/],
      [{ id: text, words: 'and us' }, /stands 2 times|inside of a part/],
      [{ id: text, words: 'us' }, /"us" stands 2 times in s\d+: name more words/],
      [{ id: text, words: 'tea' }, /has no "tea"/],
      [{ id: text, words: 'nowhere' }, /has no "nowhere"/],
      [{ id: text, words: ' ' }, /give the words/],
      [{ id: text, words: 'See', target: '' }, /a new link needs a target/],
      [{ id: text, words: 'See', target: '/nowhere' }, /Page not found/],
      [{ id: text, words: 'See', target: 'javascript:x()' }, /a link leads to/],
      [
        { id: text, words: 'See', target: 'mailto:a@b.example?bcc=c@d.example' },
        /nobody else gets/,
      ],
      [{ id: idOf('Send it'), words: 'Send' }, /can't have a link in it/],
      [{ id: idOf('Buy now'), words: 'Buy' }, /can't have a link in it/],
      [{ id: idOf('A dog'), words: 'dog' }, /can't have a link in it/],
      [{ id: idOf('Ask me'), words: 'Ask' }, /can't have a link in it/],
      [{ id: 's5', words: 'Home' }, /can't have a link in it/],
      [{ id: 's999', words: 'Home' }, /there is no text "s999"; near are/],
      [{ id: 's5', target: '' }, /is a button or stands in a navigation/],
      [{ id: idOf('Buy now'), target: '' }, /is a button or stands in a navigation/],
    ] as const)
      expect(
        await refusal('set_link', { slug: '/', target: '/b', ...args }),
        JSON.stringify(args),
      ).to.match(says);
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('never changes the ids of other texts', async () => {
    const { refusal, done, workspace } = openModelTools(
      memoryTree({
        'index.html': page('<div>Call us<p>One</p>after that<p>Two</p>and more</div>'),
        'b.html': page(''),
      }),
      pages,
    );
    const before = await done('read_page', { slug: '/' });
    expect(await refusal('set_link', { slug: '/', id: 's9', words: 'us', target: '/b' })).to.match(
      /written in a way that does not allow/,
    );
    expect(workspace.changes()).to.deep.equal([]);
    expect(await done('read_page', { slug: '/' })).to.equal(before);
  });

  it('does both on every page that has the same text, with the address of each', async () => {
    const footer = '<footer><p>Made by Acme in Austin</p></footer>';
    const { done, changed, workspace } = openModelTools(
      memoryTree({
        'index.html': page(footer),
        'b.html': page(footer),
        'c/d.html': page(footer).replaceAll('href="', 'href="../'),
        'e.html': page(''),
      }),
      pages,
    );
    const args = { slug: '/', id: 's10', everywhere: true };
    expect(await done('set_link', { ...args, words: 'Acme', target: '/b' })).to.match(
      /^Leads to \/b on 3 pages; not on \/e\ns10 p Made by <1>Acme<\/1> in Austin/,
    );
    expect(changed().get('c/d.html')).to.contain('Made by <a href="../b.html">Acme</a> in Austin');
    expect(await done('set_link', { ...args, target: '' })).to.match(
      /^Took the link away on 3 pages; not on \/e\n/,
    );
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('takes a link of a real page away, and makes it again: the page is as it was', async () => {
    const { done, changed } = openModelTools(openSite('demo').tree, pages);
    const slug = '/pricing';
    const target = '/services/brand-identity';
    const [, text, id] =
      /^(?:\[\S+\] )*(s\d+) .*<1>Brand identity<\/1> starts.*\{1 a\(\S+\)@(s\d+),/m.exec(
        await done('read_page', { slug }),
      )!;
    expect(await done('set_link', { slug, id, target: '' })).to.match(
      new RegExp(`^Took the link away\\n(?:\\[\\S+\\] )*${text} .*Brand identity starts`),
    );
    expect(changed().get('pricing.html')).to.contain(' Brand identity starts');
    await done('set_link', { slug, id: text, words: 'Brand identity', target });
    expect([...changed()]).to.deep.equal([]);
  });
});
