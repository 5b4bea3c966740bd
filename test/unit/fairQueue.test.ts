import { expect } from 'chai';
import fc from 'fast-check';
import { createFairQueue, type FairQueue } from '../../src/fairQueue.ts';
import { until } from '../helpers/until.ts';
import { casesOf } from '../helpers/cases.ts';

type QueueAction = 'ask' | 'end' | 'leave';

describe('createFairQueue({ places, each, leavesLast })', () => {
  let began: string[];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    began = [];
    ends = new Map();
  });

  /** Asks for work `a1` of caller `a`, which ends when the test says so. */
  const ask = (queue: FairQueue, name: string, signal?: AbortSignal) =>
    queue.run(
      name[0]!,
      () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const settle = () => new Promise(setImmediate);
  const end = async (name: string) => {
    ends.get(name)!();
    ends.delete(name);
    await settle();
  };

  it('gives permits to the callers in turn, and to each caller in its order', async () => {
    const queue = createFairQueue({ what: 'a place', places: 1 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(queue, name));
    for (let done = 0; done < all.length; done++) {
      await settle();
      await end(began[done]!);
    }
    expect(began).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    await Promise.all(all);
  });

  it('gives priority to a late caller over the rest of a caller that asked for much', async () => {
    const queue = createFairQueue({ what: 'a place', places: 2 });
    for (let i = 1; i <= 500; i++) void ask(queue, `a${i}`);
    await settle();
    void ask(queue, 'b1');
    await end('a1');
    await end('a2');
    expect(began.slice(0, 4)).to.include('b1');
  });

  it('keeps permits free that one caller alone may not have', async () => {
    const queue = createFairQueue({ what: 'a place', places: 3, perCaller: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(queue, name);
    await settle();
    expect(began).to.deep.equal(['a1', 'a2']);
    void ask(queue, 'b1');
    await settle();
    expect(began).to.deep.equal(['a1', 'a2', 'b1']);
    await end('b1');
    expect(began).to.have.length(3);
    await end('a1');
    expect(began.at(-1)).to.equal('a3');
  });

  it('gives the permit of a pausing caller to others, and back to it after the pause', async () => {
    const queue = createFairQueue({ what: 'a place', places: 2, perCaller: 1 });
    queue.pause('a', 100);
    const all = ['a1', 'b1', 'c1'].map((name) => ask(queue, name));
    await settle();
    expect(began).to.deep.equal(['b1', 'c1']);
    await end('b1');
    await until('the end of the pause', () => began.includes('a1'));
    await end('a1');
    await end('c1');
    await Promise.all(all);
  });

  it('lets a caller stop waiting, and never begins its work', async () => {
    const queue = createFairQueue({ what: 'a place', places: 1 });
    const gone = new AbortController();
    const reason = new Error('gone');
    void ask(queue, 'a1');
    const waiting = ask(queue, 'a2', gone.signal).catch((error: unknown) => error);
    void ask(queue, 'b1');
    gone.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await ask(queue, 'a3', gone.signal).catch((error: unknown) => error)).to.equal(reason);
    await end('a1');
    expect(began).to.deep.equal(['a1', 'b1']);
  });

  it('passes the permit of failed work to the next', async () => {
    const queue = createFairQueue({ what: 'a place', places: 1 });
    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await queue.run('a', () => Promise.resolve(7))).to.equal(7);
  });

  it('gives one caller all permits while nobody else waits', async () => {
    const queue = createFairQueue({ what: 'a place', places: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(queue, name);
    await settle();
    expect(began).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('gives the next free permit to the caller that holds the fewest', async () => {
    const queue = createFairQueue({ what: 'a place', places: 4 });
    for (let i = 1; i <= 9; i++) void ask(queue, `a${i}`);
    await settle();
    for (const name of ['b1', 'b2', 'b3']) void ask(queue, name);
    for (const name of ['a1', 'a2', 'a3']) await end(name);
    expect(began.slice(4), 'both hold two, so it is the turn of the first').to.deep.equal([
      'b1',
      'b2',
      'a5',
    ]);
    void ask(queue, 'c1');
    await end('b1');
    expect(began.at(-1)).to.equal('c1');
  });

  it('leaves the last free permit to callers that hold none, if others must leave it', async () => {
    const queue = createFairQueue({
      what: 'a place',
      places: 3,
      leavesLast: (key) => key === 'a',
    });
    for (const name of ['a1', 'a2', 'a3']) void ask(queue, name);
    await settle();
    expect(began).to.deep.equal(['a1', 'a2']);
    for (const name of ['b1', 'b2']) void ask(queue, name);
    await settle();
    await end('b1');
    expect(began, 'b need not leave it').to.deep.equal(['a1', 'a2', 'b1', 'b2']);
    await end('b2');
    await end('a1');
    expect(began.at(-1)).to.equal('a3');
  });

  /**
   * What callers do, one after the other: they ask, one's oldest work ends, or one that waits
   * leaves.
   */
  const deeds = fc.array(
    fc.record({
      what: fc.constantFrom<QueueAction>('ask', 'ask', 'end', 'leave'),
      key: fc.constantFrom(...'abcdef'),
    }),
    { maxLength: 120 },
  );
  const sizes = fc.integer({ min: 1, max: 12 });

  it("never exceeds a caller's limit or leaves a usable permit free, and begins all work in the end", async () => {
    await fc.assert(fc.asyncProperty(sizes, deeds, expectFair), { numRuns: casesOf(300) });
  });

  async function expectFair(places: number, all: { what: QueueAction; key: string }[]) {
    const leavesLast = (key: string) => key < 'd';
    const queue = createFairQueue({ what: 'a place', places, leavesLast });
    const waiting: { key: string; leave: AbortController }[] = [];
    const running: { key: string; end: () => void }[] = [];
    const of = (list: { key: string }[], key: string) =>
      list.filter((one) => one.key === key).length;

    const mayStart = (key: string) => {
      const free = places - running.length;
      return free > (of(running, key) > 0 && leavesLast(key) ? 1 : 0);
    };
    function ask(key: string) {
      const asked = { key, leave: new AbortController() };
      const work = () => {
        waiting.splice(waiting.indexOf(asked), 1);
        const own = of(running, key);
        for (const other of waiting)
          if (mayStart(other.key))
            expect(of(running, other.key), `${other.key} before ${key}`).to.be.at.least(own);
        if (own > 0 && leavesLast(key))
          expect(places - running.length, 'the last place').to.be.above(1);
        return new Promise<void>((end) => running.push({ key, end }));
      };
      waiting.push(asked);
      queue.run(key, work, asked.leave.signal).catch(() => undefined);
    }
    function leave(key: string) {
      const at = waiting.findIndex((one) => one.key === key);
      if (at !== -1) waiting.splice(at, 1)[0]!.leave.abort(new Error('left'));
    }
    function end(key: string) {
      const at = running.findIndex((one) => one.key === key);
      if (at !== -1) running.splice(at, 1)[0]!.end();
    }

    const deed = { ask, end, leave };
    for (const { what, key } of all) {
      deed[what](key);
      await settle();
      expect(running.length).to.be.at.most(places);
      const skipped = waiting.filter((one) => mayStart(one.key));
      expect(skipped, 'who may have a place that is free').to.deep.equal([]);
    }
    while (running.length > 0) {
      end(running[0]!.key);
      await settle();
    }
    expect(waiting).to.deep.equal([]);
  }

  it('makes nobody wait for more ends than there are callers before it', async () => {
    const queue = createFairQueue({ what: 'a place', places: 4 });
    for (const key of 'abc') for (let i = 1; i <= 50; i++) void ask(queue, `${key}${i}`);
    await settle();
    for (let late = 1; late <= 20; late++) {
      void ask(queue, `z${late}`);
      const before = began.length;
      while (!began.includes(`z${late}`))
        await end([...ends.keys()].find((name) => began.includes(name))!);
      expect(began.length - before).to.be.at.most(4);
      await end(`z${late}`);
    }
  });
});
