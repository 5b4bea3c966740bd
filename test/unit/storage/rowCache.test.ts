import { expect } from 'chai';
import { createRowChanges } from '../../../src/storage/rowChanges.ts';
import { createRowCache } from '../../../src/storage/rowCache.ts';

describe('createRowCache(table, changes)', () => {
  /** @returns how often the row was read, and how to ask for it */
  function rows() {
    const changes = createRowChanges();
    changes.heardFor(Infinity);
    const kept = createRowCache<{ state: string }>('preview_deployments', changes);
    let [reads, state]: [number, string | undefined] = [0, 'first'];
    const read = async () => {
      reads++;
      const row = state === undefined ? undefined : { state };
      await new Promise(setImmediate);
      return row;
    };
    return {
      changes,
      kept,
      ask: async (name = 'a') => (await kept.get(name, read))?.state,
      reads: () => reads,
      becomes: (next: string | undefined) => void (state = next),
    };
  }

  it('reads a row once for any number of simultaneous and later callers', async () => {
    const { ask, reads } = rows();
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['first', 'first', 'first']);
    expect(await ask()).to.equal('first');
    expect(reads()).to.equal(1);
    await ask('b');
    expect(reads()).to.equal(2);
  });

  it('forgets exactly the row that the database or this process names', async () => {
    const { ask, reads, becomes, changes, kept } = rows();
    for (const name of ['a', 'b']) await ask(name);
    becomes('second');
    changes.tell('preview_deployments a');
    expect([await ask('a'), await ask('b'), reads()]).to.deep.equal(['second', 'first', 3]);
    kept.forget('b');
    expect([await ask('b'), reads()]).to.deep.equal(['second', 4]);
  });

  it('forgets a row that changes while it is read, so that later callers read it again', async () => {
    const { ask, becomes, changes } = rows();
    const before = ask();
    becomes('second');
    changes.tell('preview_deployments a');
    expect([await ask(), await before, await ask()]).to.deep.equal(['second', 'first', 'second']);
  });

  it('keeps nothing while changes are not heard, and nothing from before', async () => {
    const { ask, becomes, changes } = rows();
    await ask();
    changes.lost();
    for (const state of ['second', 'third']) {
      becomes(state);
      expect(await ask()).to.equal(state);
    }
    changes.heardFor(Infinity);
    becomes('fourth');
    expect(await ask()).to.equal('fourth');
  });

  it('trusts that changes are heard for exactly the given time', async () => {
    const { ask, becomes, changes } = rows();
    changes.heardFor(0);
    await ask();
    becomes('second');
    expect(await ask()).to.equal('second');
  });

  it('reads the missing rows with one call, and returns all in the order of their IDs', async () => {
    const { changes, kept, ask, reads } = rows();
    await ask('b');
    const asked: string[][] = [];
    const readAll = (ids: string[]) => {
      asked.push(ids);
      return Promise.resolve(ids.map((id) => ({ state: `of ${id}` })));
    };
    const states = async (...ids: string[]) =>
      (await kept.getAll(ids, readAll)).map((row) => row?.state);
    expect(await states('a', 'b', 'c', 'a')).to.deep.equal(['of a', 'first', 'of c', 'of a']);
    expect(await states('c', 'a')).to.deep.equal(['of c', 'of a']);
    expect([asked, reads(), await ask('a')]).to.deep.equal([[['a', 'c']], 1, 'of a']);
    changes.lost();
    expect(await states('a', 'b')).to.deep.equal(['of a', 'of b']);
    expect(await states()).to.deep.equal([]);
    expect(asked).to.deep.equal([
      ['a', 'c'],
      ['a', 'b'],
    ]);
  });

  it('keeps no missing row and no failure', async () => {
    const { ask, becomes, kept } = rows();
    becomes(undefined);
    expect(await ask()).to.equal(undefined);
    becomes('made');
    expect(await ask()).to.equal('made');
    const down = () => Promise.reject(new Error('down'));
    expect(await kept.get('c', down).catch((error: Error) => error.message)).to.equal('down');
    expect(await ask('c')).to.equal('made');
  });
});
