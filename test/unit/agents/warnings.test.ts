import { expect } from 'chai';
import { createWarnings } from '../../../src/agents/warnings.ts';

describe('createWarnings(site).list()', () => {
  it('stays small, however many and however long the warnings are', () => {
    const warnings = createWarnings({ find: () => undefined });
    for (let n = 0; n < 500; n++) warnings.add(`/p${n}: ${'long '.repeat(4_000)}`);
    const list = warnings.list();
    expect(list).to.have.length(101);
    expect(list.at(-1)).to.equal('400 more of these');
    expect(Math.max(...list.map(({ length }) => length))).to.equal(500);
    expect(list[0]).to.match(/^\/p0: long .*…$/);
  });
});
