import { expect } from 'chai';
import { readEntries } from '../../../../src/sites/git/treeEntries.ts';

const line = (path: string, size = '12', mode = '100644', type = 'blob') =>
  `${mode} ${type} ${'a'.repeat(40)} ${size.padStart(7)}\t${path}\0`;

describe('readEntries(output)', () => {
  it('reads names of every kind, in any script, and nothing of nothing', async () => {
    const paths = ['a.html', 'with\ttab\nand "quotes"', 'größe/日本.html', ' '];
    const output = Buffer.from(paths.map((path) => line(path)).join('') + line('sub', '-', '160000', 'commit'));
    const entries = await readEntries(output);
    expect(entries.map(({ path }) => path)).to.deep.equal([...paths, 'sub']);
    expect(entries[0]).to.deep.equal({ path: 'a.html', id: 'a'.repeat(40), mode: '100644', size: 12 });
    expect(entries.at(-1)).to.include({ mode: '160000', size: 0 });
    expect(await readEntries(Buffer.alloc(0))).to.deep.equal([]);
  });

  it('reads 50,000 of them while others get their turns', async () => {
    const paths = Array.from({ length: 50_000 }, (_, i) => `${'größe/'.repeat(1 + (i % 9))}${i}.html`);
    const output = Buffer.from(paths.map((path) => line(path)).join(''));
    let turns = 0;
    let counting = true;
    const count = () => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const entries = await readEntries(output);
    counting = false;
    expect(entries.map(({ path }) => path)).to.deep.equal(paths);
    expect(turns).to.be.above(output.length / 300_000);
  });
});
