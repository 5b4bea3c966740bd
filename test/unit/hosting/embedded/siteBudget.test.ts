import { expect } from 'chai';
import { createSiteBudget } from '../../../../src/hosting/embedded/siteBudget.ts';

describe('createSiteBudget', () => {
  const taker = (total: number) => {
    const budget = createSiteBudget(total);
    return (siteId: string, bytes: number, thing: unknown = Symbol()) => {
      const end = new AbortController();
      budget.take({ siteId, thing, bytes }, end.signal);
      return () => end.abort();
    };
  };

  it('gives one site half, and leaves room for the others in any order', () => {
    const take = taker(120);
    take('a', 60);
    expect(() => take('a', 1))
      .to.throw()
      .with.property('code', 'UNAVAILABLE');
    take('b', 30);
    expect(() => take('b', 1))
      .to.throw()
      .with.property('code', 'UNAVAILABLE');
    take('c', 15);
    take('d', 7);
    expect(() => take('e', 120))
      .to.throw()
      .with.property('code', 'UNAVAILABLE');
  });

  it('never gives more than the total, however many sites ask', () => {
    const take = taker(1_000);
    let given = 0;
    for (let n = 0; n < 10_000; n++) {
      try {
        take(`site-${n % 50}`, 1);
        given++;
      } catch {
        // the site has its share
      }
    }
    expect(given).to.be.above(900).and.at.most(1_000);
  });

  it('counts a shared file once, until the last reader releases it', () => {
    const take = taker(100);
    const ends = Array.from({ length: 1_000 }, () => take('a', 50, 'file'));
    for (const end of ends.slice(1)) end();
    expect(() => take('a', 1))
      .to.throw()
      .with.property('code', 'UNAVAILABLE');
    ends[0]?.();
    ends[0]?.();
    take('a', 50);
    expect(() => take('a', 1))
      .to.throw()
      .with.property('code', 'UNAVAILABLE');
  });

  it('takes nothing for requests that have already ended', () => {
    const budget = createSiteBudget(100);
    const take = (end: AbortSignal) => budget.take({ siteId: 'a', thing: 'x', bytes: 50 }, end);
    expect(() => take(AbortSignal.abort(new Error('gone')))).to.throw('gone');
    take(new AbortController().signal);
  });
});
