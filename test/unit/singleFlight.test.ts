import { expect } from 'chai';
import { createSingleFlight } from '../../src/singleFlight.ts';

describe('createSingleFlight()', () => {
  const reason = new Error('gone');
  const failed = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('It did not fail'),
      (error: unknown) => error,
    );

  it('does work once for all simultaneous callers, and again for a later one', async () => {
    const once = createSingleFlight<number>();
    let count = 0;
    const work = () => Promise.resolve(++count);
    expect(await Promise.all([once('a', work), once('a', work), once('b', work)])).to.deep.equal([
      1, 1, 2,
    ]);
    expect(await once('a', work)).to.equal(3);
  });

  it('continues while one of them waits, and stops with the last', async () => {
    const once = createSingleFlight<string>();
    const signals: AbortSignal[] = [];
    const begin = () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const work = (signal: AbortSignal) => {
        signals.push(signal);
        return promise;
      };
      return { work, resolve };
    };
    const { work, resolve } = begin();
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => once('a', work, signal));
    const staying = once('a', work);
    first.abort(reason);
    expect(await failed(asked[0]!)).to.equal(reason);
    second.abort(reason);
    expect(await failed(asked[1]!)).to.equal(reason);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
    resolve('done');
    expect(await staying).to.equal('done');

    const next = begin();
    const last = new AbortController();
    const alone = once('a', next.work, last.signal);
    last.abort(reason);
    expect(await failed(alone)).to.equal(reason);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, true]);
    const again = begin();
    again.resolve('again');
    expect(await once('a', again.work)).to.equal('again');
    expect(await failed(once('a', again.work, AbortSignal.abort(reason)))).to.equal(reason);
  });
});
