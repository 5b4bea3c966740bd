import { expect } from 'chai';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLateLimiter } from '../../src/api/middleware/limiter.ts';
import { until } from '../helpers/until.ts';

/** A store that answers each question a moment later. */
function slowStore(points: number) {
  const store = new RateLimiterMemory({ points, duration: 60 });
  const asked: (number | undefined)[] = [];
  const now = store.consume.bind(store);
  store.consume = async (key, requests) => {
    asked.push(requests);
    await new Promise(setImmediate);
    return now(key, requests);
  };
  return { store, asked };
}

describe('createLateLimiter(store)', () => {
  /** Two processes that count in one store, and the requests of each question to the store. */
  function processes(points: number) {
    const { store, asked } = slowStore(points);
    let time = 0;
    const create = () => createLateLimiter(store, () => time);
    return { one: create(), other: create(), store, asked, passes: (ms: number) => (time += ms) };
  }
  const repeat = async (times: number, count: () => Promise<{ counted: number }>) => {
    const numbers = [];
    for (let n = 0; n < times; n++) numbers.push((await count()).counted);
    return numbers;
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

  it('asks the store for the first request of a window, but not for the next ones', async () => {
    const { one, asked } = processes(600);
    expect(await repeat(50, () => one.count('key'))).to.deep.equal(upTo(50));
    expect(asked).to.deep.equal([1]);
  });

  it('reports its own counts to the store within a second', async () => {
    const { one, other, asked } = processes(600);
    await repeat(50, () => one.count('key'));
    await until('the store to know', () => asked.length === 2);
    expect(asked).to.deep.equal([1, 49]);
    expect((await other.count('key')).counted).to.equal(51);
  });

  it('rejects nobody within the limit, and lets at most a tenth too many requests through', async () => {
    const { one, other, asked } = processes(600);
    const counts = [];
    for (let n = 0; n < 700; n++) counts.push(await (n % 2 ? one : other).count('key'));
    const allowed = counts.filter(({ counted }) => counted <= 600).length;
    expect(allowed).to.be.within(600, 660);
    expect(asked.length).to.be.below(200);
  });

  it('does not ask about a key over the limit until its window ends', async () => {
    const { one, store, asked, passes } = processes(3);
    expect(await repeat(6, () => one.count('key'))).to.deep.equal([1, 2, 3, 4, 4, 4]);
    expect(asked).to.deep.equal([1, 1, 1]);
    passes(60_000);
    await store.delete('key');
    expect((await one.count('key')).counted).to.equal(1);
  });

  it('counts each request of a small limit in the store', async () => {
    const { one, other } = processes(99);
    const counts = await Promise.all(upTo(200).map((n) => (n % 2 ? one : other).count('key')));
    expect(counts.filter(({ counted }) => counted <= 99)).to.have.length(99);
  });

  it('fails while the store fails, and asks it again', async () => {
    const { one, store } = processes(600);
    const answers = store.consume.bind(store);
    store.consume = () => Promise.reject(new Error('down'));
    const failed = await Promise.allSettled([one.count('key'), one.count('key')]);
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    store.consume = answers;
    expect((await one.count('key')).counted).to.equal(1);
  });
});
