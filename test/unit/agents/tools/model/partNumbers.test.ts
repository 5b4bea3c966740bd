import { expect } from 'chai';
import { createWorkspace } from '../../../../../src/agents/workspace.ts';
import { texts } from '../../../../helpers/texts.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';

type Call = [name: string, args: object];

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>A</title></head><body><main><h1>Acme</h1><p>Home</p>\n${body}\n</main></body></html>`;
const TEXT = '<p>See <a href="b.html">one</a> and <a href="c.html">two</a> or three</p>';

/** A model on a site of three pages, which makes its calls turn by turn. */
async function open(body = TEXT) {
  const names = ['index', 'b', 'c'];
  const files = names.map((name) => [`${name}.html`, page(body)] as const);
  const tree = memoryTree(Object.fromEntries(files));
  const workspace = createWorkspace({ tree, pages, texts, agent: 'model' });
  const turn = async (...calls: Call[]) => {
    const toolCalls = calls.map(([name, args], i) => ({
      id: `${i}`,
      name,
      arguments: { ...args },
    }));
    return (await workspace.take({ text: '', toolCalls })).results;
  };
  const [outline] = await turn(['read_page', { slug: '/' }]);
  const id = /(\S+) p See/.exec(outline!.content)![1]!;
  const at = (path: string) =>
    /<p>(?!Home)(.*)<\/p>/.exec(
      workspace.changes().find((change) => change.path === path)?.content ?? page(body),
    )![1]!;
  const set = (text: string, more = {}): Call => [
    'set_texts',
    { slug: '/', edits: [{ id, text }], ...more },
  ];
  const link = (args: object): Call => ['set_link', { slug: '/', id, ...args }];
  /** The calls that take the first link away, and make another behind the second. */
  const links = (await pages.links({ path: 'index.html', source: page(body) })).map(({ id }) => id);
  const exchange: Call[] = [
    ['set_link', { slug: '/', id: links[0]!, target: '' }],
    link({ words: 'three', target: '/b' }),
  ];
  return { turn, set, link, links, exchange, at, workspace };
}

const WRITTEN = 'Read <1>this</1> and <2>that</2> or more';

describe('numbers of parts that a model read', () => {
  it('never name other links in the same turn: the text is refused, and shown', async () => {
    const { turn, set, exchange, at } = await open();
    const results = await turn(...exchange, set(WRITTEN));
    expect(results.map(({ isError }) => isError)).to.deep.equal([false, false, true]);
    expect(results[2]!.content).to.match(
      /^s\d+ has other part numbers since you read it\. It is now: See one and <1>two<\/1> or <2>three<\/2>$/,
    );
    expect(at('index.html')).to.contain('See one and <a');
    const [next] = await turn(set(WRITTEN));
    expect(next!.isError).to.equal(false);
    expect(at('index.html')).to.equal(
      'Read <a href="c.html">this</a> and <a href="b.html">that</a> or more',
    );
  });

  it('name them in the turn after, as the results showed them', async () => {
    const { turn, set, exchange, at } = await open();
    await turn(...exchange);
    const [next] = await turn(set(WRITTEN));
    expect(next!.isError).to.equal(false);
    expect(at('index.html')).to.match(/^Read <a href="c\.html">this/);
  });

  it('are refused where one link of two went', async () => {
    const { turn, set, exchange } = await open();
    const results = await turn(exchange[0]!, set('Only <1>this</1> is left'));
    expect(results[1]!.content).to.match(/It is now: See one and <1>two<\/1> or three$/);
  });

  it('are new where a text puts parts in another order, and the result shows them', async () => {
    const { turn, set, at } = await open();
    const [first, second] = await turn(set('Now <2>two</2> and <1>one</1> or'), set(WRITTEN));
    expect(first!.content).to.match(
      /^1 written\. The parts have new numbers:\ns\d+ p Now <1>?.*two.*one/,
    );
    expect(second!.content).to.match(/It is now: Now <1>two<\/1> and <2>one<\/2> or$/);
    await turn(set(WRITTEN));
    expect(at('index.html')).to.match(/^Read <a href="c\.html">this/);
  });

  it('stay refused on other pages until a result shows the text', async () => {
    const { turn, set, link, links } = await open();
    const everywhere = { everywhere: true };
    await turn(
      ['set_link', { slug: '/', id: links[0]!, target: '', ...everywhere }],
      link({ words: 'three', target: '/b', ...everywhere }),
    );
    const [refused] = await turn(set(WRITTEN, { slug: '/c' }));
    expect(refused!.content).to.match(/^s\d+ has other part numbers since you read it/);
    const [written] = await turn(set(WRITTEN, { slug: '/c' }));
    expect(written!.isError).to.equal(false);
  });

  it('stay refused after undo, and on a page that moved', async () => {
    const { turn, set, exchange, workspace } = await open();
    await turn(...exchange);
    await turn(['undo', { slug: '/' }]);
    const [refused] = await turn(set(WRITTEN));
    expect(refused!.content).to.match(/It is now: See <1>one<\/1> and <2>two<\/2> or three$/);
    expect(workspace.changes()).to.deep.equal([]);
    const onB = exchange.map(([name, args]): Call => [
      name,
      { ...args, slug: '/c', target: 'target' in args && args.target ? '/' : '' },
    ]);
    const moved = await turn(
      ...onB,
      ['move_page', { slug: '/c', to: '/d' }],
      set(WRITTEN, { slug: '/d' }),
    );
    expect(moved.map(({ isError }) => isError)).to.deep.equal([false, false, false, true]);
  });

  it('need not be known for a text without parts, nor for other texts', async () => {
    const { turn, set, exchange } = await open();
    const results = await turn(...exchange, set('Of these two are three here'));
    expect(results.map(({ isError }) => isError)).to.deep.equal([false, false, false]);
  });
});
