import { expect } from 'chai';
import { noteOn } from '../../../src/contract/task.ts';
import { createWarnings } from '../../../src/agents/warnings.ts';

describe('createWarnings(site).list()', () => {
  it('stays small, however many and however long the warnings are', () => {
    const warnings = createWarnings({ files: () => [] });
    for (let n = 0; n < 500; n++) warnings.add(noteOn(`/p${n}`, 'left', 'long '.repeat(4_000)));
    const list = warnings.list().map(({ text }) => text);
    expect(list).to.have.length(101);
    expect(list.at(-1)).to.equal('400 more of these');
    expect(Math.max(...list.map(({ length }) => length))).to.equal(500);
    expect(list[0]).to.match(/^\/p0: long .*…$/);
  });

  it('looks for the pages of the site once, however many link to one that is gone', () => {
    let looked = 0;
    const files = Array.from({ length: 200 }, (_, n) => ({ slug: `/p${n}`, path: `p${n}.html` }));
    const warnings = createWarnings({
      files: () => {
        looked++;
        return files;
      },
    });
    for (const { slug } of files) warnings.brokenLinks('/gone', slug, 1);
    expect(warnings.list()).to.have.length(1);
    expect(looked).to.equal(1);
  });
});
