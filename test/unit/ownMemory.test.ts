import { expect } from 'chai';
import { copyToOwnMemory } from '../../src/copyToOwnMemory.ts';

describe('copyToOwnMemory(content)', () => {
  it('copies a view of a pool, which the view would otherwise keep', () => {
    const view = Buffer.from('a small text');
    expect(view.buffer.byteLength).to.equal(Buffer.poolSize);
    const own = copyToOwnMemory(view);
    expect(own.toString()).to.equal('a small text');
    expect(own.buffer.byteLength).to.equal(view.length);
  });

  it('copies nothing that uses at least half of its memory', () => {
    const content = Buffer.allocUnsafeSlow(1_000);
    for (const view of [content, content.subarray(500)])
      expect(copyToOwnMemory(view)).to.equal(view);
    expect(copyToOwnMemory(content.subarray(501)).buffer.byteLength).to.equal(499);
  });
});
