import { expect } from 'chai';
import { corpus, npmSites } from '../../../corpus.ts';
import { findBlocks } from '../../../../../../src/sites/formats/html/blocks/findBlocks.ts';
import { removeBlocks } from '../../../../../../src/sites/formats/html/blocks/removeBlocks.ts';
import { unchangeableError } from '../../../../../../src/sites/formats/html/groups/arrangeGroups.ts';
import { parseDocument } from '../../../../../../src/sites/formats/html/document.ts';
import { findSlotPlaces } from '../../../../../../src/sites/formats/html/slots/findSlotPlaces.ts';

function read(source: string) {
  const page = parseDocument(source);
  const places = findSlotPlaces(page);
  return { page, places, blocks: findBlocks(page, places) };
}
const body = (content: string) => `<!doctype html><title>T</title><body>${content}`;
/** One block of so many: each takes a parse. */
const EVERY = 11;

describe('removeBlocks', () => {
  it('removes any block of third-party pages, alone or with others, and keeps all other bytes and slots', () => {
    let taken = 0;
    for (const { page: source } of [corpus[0]!, ...npmSites].flatMap(({ pages }) =>
      pages.map((page) => ({ page })),
    )) {
      const { page, places, blocks } = read(source.source);
      const some = blocks.filter((_, i) => i % EVERY === 0);
      for (const ids of [...some.map(({ id }) => [id]), some.map(({ id }) => id)]) {
        if (ids.length === 0) continue;
        const left = removeBlocks(page, places, new Set(ids));
        expect(left.page.source.length, source.path).to.be.below(page.source.length);
        const before = new Map(places.map(({ slot }) => [slot.id, slot.text]));
        for (const { slot } of left.places)
          expect(before.get(slot.id), `${source.path} ${slot.id}`).to.equal(slot.text);
        taken += 1;
      }
    }
    expect(taken).to.be.above(100);
  });

  it('knows no block in landmarks, nor one that holds the headline, a form or a script', () => {
    for (const content of [
      '<header><p>a</p></header><nav><p>a</p></nav><footer><p>a</p></footer>',
      '<section><h1>a</h1></section><div><form>a</form></div><div><script></script></div>',
      '<p>never closed<li>nor this',
    ])
      expect(read(body(content)).blocks, content).to.deep.equal([]);
  });

  it('reports what a block contains, and who links to it', () => {
    const { blocks } = read(
      body(
        '<p><a href="#x">a</a></p><section id="x"><p>Small</p><h2>H</h2><dl><dt>A</dt><dd>B</dd><dd>C</dd></dl><div><img src="a.png" alt="A"></div></section>',
      ),
    );
    expect(
      blocks.map(({ elements, slots, labels, media, isUnit }) => [
        elements.map(({ tagName }) => tagName).join(' '),
        slots.length,
        labels.length,
        media.length,
        isUnit,
      ]),
    ).to.deep.equal([
      ['p', 1, 0, 0, true],
      ['section', 1, 1, 0, false],
      ['p', 1, 1, 0, true],
      ['dl', 0, 0, 0, false],
      ['dt dd dd', 3, 0, 0, true],
      ['div', 1, 0, 1, false],
    ]);
    expect(blocks[1]!.linked).to.deep.equal([{ id: 'x', from: [blocks[0]!.id] }]);
  });

  it('refuses to remove what would change how the rest is read, and removes no block twice', () => {
    const { page, places, blocks } = read(body('<p>One<div>Two</div><b>Three</b>'));
    const [div] = blocks.filter(({ elements }) => elements[0]!.tagName === 'div');
    expect(() => removeBlocks(page, places, new Set([div!.id]))).to.throw(
      unchangeableError('A block with these facts').message,
    );
    const nested = read(body('<div><p>a</p></div><p>b</p>'));
    const all = removeBlocks(
      nested.page,
      nested.places,
      new Set([...nested.blocks.slice(0, 2).map(({ id }) => id), 's999']),
    );
    expect(all.page.source).to.equal(body('<p>b</p>'));
  });
});
