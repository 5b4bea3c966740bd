import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import type { GroupListing } from '../../../../../src/agents/tools/grouping.ts';
import { openCalls } from '../run.ts';

const names = ['Anvil', 'Bellows', 'Crucible', 'Drill'];
const entry = (name: string, position: number | string) => ({
  '@type': 'ListItem',
  position,
  name,
});

/** The structured data of a page with a list of four, after some of its members were removed. */
async function listWithout(indexes: number[], data: object) {
  const items = names.map((name) => `<li><h3>${name}</h3><p>The best ${name}.</p></li>`).join('');
  const json = JSON.stringify({ '@type': 'ItemList', name: 'All of it', ...data }, null, 2);
  const tree = memoryTree({
    'index.html': `<!doctype html><html><head><title>A</title><script type="application/ld+json">${json}</script></head><body><h1>All of it</h1><ul>${items}</ul></body></html>`,
  });
  const { answer, edit, changed } = openCalls(tree, pages);
  const [group] = await answer<GroupListing>('list_groups', { slug: '/' });
  await edit('remove_items', { slug: '/', group: group!.id, indexes });
  const html = changed().get('index.html')!;
  return JSON.parse(/json">([^]*?)<\/script>/.exec(html)![1]!) as Record<string, unknown>;
}

describe('a list in structured data that loses entries', () => {
  it('is counted and numbered again', async () => {
    const data = {
      numberOfItems: 4,
      itemListElement: names.map((name, i) => entry(name, i + 1)),
    };
    const list = await listWithout([0, 2], data);
    expect(list['numberOfItems']).to.equal(2);
    expect(list['itemListElement']).to.deep.equal([entry('Bellows', 1), entry('Drill', 2)]);
  });

  it('keeps how its numbers are written, and where they begin', async () => {
    const data = {
      itemListElement: names.map((name, i) => entry(name, `${i + 11}`)),
      numberOfItems: '4',
    };
    const list = await listWithout([1], data);
    expect(list['numberOfItems']).to.equal('3');
    expect(list['itemListElement']).to.deep.equal([
      entry('Anvil', '11'),
      entry('Crucible', '12'),
      entry('Drill', '13'),
    ]);
  });

  it('keeps numbers that counted something else', async () => {
    const data = {
      numberOfItems: 40,
      itemListElement: names.map((name, i) => entry(name, i * 10)),
    };
    const list = await listWithout([1], data);
    expect(list['numberOfItems']).to.equal(40);
    expect(list['itemListElement']).to.deep.equal([
      entry('Anvil', 0),
      entry('Crucible', 20),
      entry('Drill', 30),
    ]);
  });

  it('is numbered in an outer object too, and not where it loses nothing', async () => {
    const step = (name: string, position: number) => ({ '@type': 'HowToStep', position, name });
    const data = {
      '@type': 'HowTo',
      step: names.map((name, i) => step(name, i + 1)),
      mentions: { '@type': 'ItemList', numberOfItems: 4, itemListElement: ['a', 'b', 'c', 'd'] },
    };
    const list = await listWithout([3], data);
    expect(list['step']).to.deep.equal(names.slice(0, 3).map((name, i) => step(name, i + 1)));
    expect(list['mentions']).to.deep.equal(data.mentions);
  });
});
