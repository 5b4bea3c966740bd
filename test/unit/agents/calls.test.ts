import { expect } from 'chai';
import fc from 'fast-check';
import { createCalls, windowOf } from '../../../src/agents/calls.ts';
import { countWaits } from '../../../src/waiting.ts';
import { until } from '../../helpers/until.ts';

const settle = () => new Promise(setImmediate);

describe('createCalls({ atOnce, next })', () => {
  const never = new AbortController().signal;
  const unlimited = () => Promise.resolve(0);
  let began: string[];
  beforeEach(() => void (began = []));

  const hang = (name: string) => () => {
    began.push(name);
    return new Promise<void>(() => {});
  };

  it('leaves a place free for the next organization, however many calls of others hang', async () => {
    const calls = createCalls({ atOnce: 20, next: unlimited });
    for (let i = 0; i < 100; i++) void calls.run('a', hang('a'), never);
    await settle();
    expect(began).to.have.length(19);
    void calls.run('b', hang('b'), never);
    await settle();
    expect(began).to.have.length(20);
    expect(began.at(-1)).to.equal('b');
  });

  it('gives each of two at most half while both wait, and leaves a place free for a third one', async () => {
    const calls = createCalls({ atOnce: 20, next: unlimited });
    for (let i = 0; i < 100; i++)
      for (const key of ['a', 'b']) void calls.run(key, hang(key), never);
    await settle();
    expect(began.filter((key) => key === 'a').length).to.be.at.most(10);
    expect(began).to.have.length(19);
    void calls.run('c', hang('c'), never);
    await settle();
    expect(began.at(-1)).to.equal('c');
  });

  it('makes the only call that a process may make', async () => {
    const calls = createCalls({ atOnce: 1, next: unlimited });
    expect(await calls.run('a', () => Promise.resolve(7), never)).to.equal(7);
    expect(await calls.run('a', () => Promise.resolve(8), never)).to.equal(8);
  });

  it('tells what a call waits for, and ends the waiting with the reason of its signal', async () => {
    for (const [next, what] of [
      [unlimited, 'a turn to call a language model'],
      [() => Promise.resolve(60_000), "the minute's next call of a language model"],
    ] as const) {
      const calls = createCalls({ atOnce: 1, next });
      const gone = new AbortController();
      if (next === unlimited) void calls.run('a', hang('first'), never);
      const work = countWaits((waits) => ({
        waits,
        done: calls.run('b', hang(what), gone.signal),
      }));
      await until('the wait', () => work.waits.current() === what);
      const reason = new Error('cancelled');
      gone.abort(reason);
      expect(await work.done.catch((error: unknown) => error)).to.equal(reason);
      expect(work.waits.current()).to.equal(undefined);
      expect(began).to.not.include(what);
    }
  });

  it('gives the place of a call that failed or waits no longer for the minute to the next', async () => {
    const gone = new AbortController();
    let isOver = true;
    const calls = createCalls({ atOnce: 1, next: () => Promise.resolve(isOver ? 60_000 : 0) });
    const first = calls.run('a', hang('a'), gone.signal).catch(() => undefined);
    await settle();
    isOver = false;
    gone.abort(new Error('cancelled'));
    await first;
    await calls.run('b', () => Promise.reject(new Error('no')), never).catch(() => undefined);
    expect(await calls.run('c', () => Promise.resolve('c'), never)).to.equal('c');
  });

  it('lets organizations take turns for the calls of a minute', async () => {
    let left = 0;
    const calls = createCalls({ atOnce: 20, next: () => Promise.resolve(left-- > 0 ? 0 : 5) });
    const ask = (key: string) => calls.run(key, async () => void began.push(key), never);
    const all = Array.from({ length: 30 }, () => ask('a'));
    await settle();
    all.push(...Array.from({ length: 5 }, () => ask('b')));
    left = 12;
    await until('the calls of a minute', () => began.length >= 12);
    expect(began.filter((key) => key === 'b')).to.have.length(5);
    left = 1_000;
    await Promise.all(all);
  });

  it('counts no call that waits for a place', async () => {
    let counted = 0;
    const next = () => Promise.resolve(counted++ < 0 ? 1 : 0);
    const calls = createCalls({ atOnce: 3, next });
    for (let i = 0; i < 50; i++) void calls.run(`organization ${i}`, hang('x'), never);
    await settle();
    expect(began).to.have.length(3);
    expect(counted).to.equal(3);
  });

  it('holds a limit over processes that count together', async () => {
    let left = 5;
    const next = () => Promise.resolve(left-- > 0 ? 0 : 5);
    const processes = Array.from({ length: 3 }, () => createCalls({ atOnce: 100, next }));
    const call = () => Promise.resolve(void began.push('a'));
    const all = Promise.all(
      Array.from({ length: 18 }, (_, i) => processes[i % 3]!.run(`${i % 2}`, call, never)),
    );
    for (const expected of [5, 10, 15]) {
      await until('calls that were refused', () => began.length === expected && left < -6);
      left = 5;
    }
    await all;
  });
});

describe('windowOf(perMinute)', () => {
  it('allows no more in a minute, and hardly less', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (perMinute) => {
        const { points, seconds } = windowOf(perMinute);
        const allowed = (points / seconds) * 60;
        expect(allowed).to.be.at.most(perMinute + 1e-6);
        expect(allowed).to.be.at.least(perMinute * 0.998);
        expect(points).to.be.at.most(Math.ceil(perMinute / 60));
        expect(Number.isInteger(Math.round(seconds * 1e6) / 1e3), 'whole milliseconds').to.equal(
          true,
        );
      }),
    ));
});
