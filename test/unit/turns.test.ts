import { expect } from 'chai';
import { createTurns, type Turns } from '../../src/turns.ts';
import { until } from '../helpers/until.ts';

describe('createTurns({ places, each })', () => {
  let began: string[];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    began = [];
    ends = new Map();
  });

  /** Asks for work `a1` of caller `a`, which ends when the test says so. */
  const ask = (turns: Turns, name: string, signal?: AbortSignal) =>
    turns.run(
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
    await settle();
  };

  it('gives places to one caller after the other, and to each in its order', async () => {
    const turns = createTurns({ what: 'a place', places: 1 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(turns, name));
    for (let done = 0; done < all.length; done++) {
      await settle();
      await end(began[done]!);
    }
    expect(began).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    await Promise.all(all);
  });

  it('takes one that comes late before the rest of one that asked for much', async () => {
    const turns = createTurns({ what: 'a place', places: 2 });
    for (let i = 1; i <= 500; i++) void ask(turns, `a${i}`);
    await settle();
    void ask(turns, 'b1');
    await end('a1');
    await end('a2');
    expect(began.slice(0, 4)).to.include('b1');
  });

  it('keeps places free that one caller alone may not have', async () => {
    const turns = createTurns({ what: 'a place', places: 3, each: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(turns, name);
    await settle();
    expect(began).to.deep.equal(['a1', 'a2']);
    void ask(turns, 'b1');
    await settle();
    expect(began).to.deep.equal(['a1', 'a2', 'b1']);
    await end('b1');
    expect(began).to.have.length(3);
    await end('a1');
    expect(began.at(-1)).to.equal('a3');
  });

  it('gives the place of a caller that pauses to the others, and to this one after the pause', async () => {
    const turns = createTurns({ what: 'a place', places: 2, each: 1 });
    turns.pause('a', 100);
    const all = ['a1', 'b1', 'c1'].map((name) => ask(turns, name));
    await settle();
    expect(began).to.deep.equal(['b1', 'c1']);
    await end('b1');
    await until('the end of the pause', () => began.includes('a1'));
    await end('a1');
    await end('c1');
    await Promise.all(all);
  });

  it('lets one go that waits no longer, and never begins its work', async () => {
    const turns = createTurns({ what: 'a place', places: 1 });
    const gone = new AbortController();
    const reason = new Error('gone');
    void ask(turns, 'a1');
    const waiting = ask(turns, 'a2', gone.signal).catch((error: unknown) => error);
    void ask(turns, 'b1');
    gone.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await ask(turns, 'a3', gone.signal).catch((error: unknown) => error)).to.equal(reason);
    await end('a1');
    expect(began).to.deep.equal(['a1', 'b1']);
  });

  it('gives the place of work that failed to the next', async () => {
    const turns = createTurns({ what: 'a place', places: 1 });
    const failed = turns.run('a', () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await turns.run('a', () => Promise.resolve(7))).to.equal(7);
  });
});
