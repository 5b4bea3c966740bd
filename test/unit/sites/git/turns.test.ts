import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { createTurns } from '../../../../src/sites/git/turns.ts';
import { failureOf } from './remotes.ts';

describe('createTurns({ inAll, each })', () => {
  /** Work that goes on until it is ended, by its name: whose it is, and a number. */
  function start(turns: ReturnType<typeof createTurns>, begun: string[]) {
    const ends = new Map<string, () => void>();
    const begin = (name: string, signal?: AbortSignal) => {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      };
      return turns.run(name[0] ?? '', work, signal);
    };
    return { begin, end: (name: string) => ends.get(name)?.() };
  }

  it('leaves room for others where one has much slow work, and lets who has least go first', async () => {
    const begun: string[] = [];
    const { begin, end } = start(createTurns({ inAll: 3, each: 2 }), begun);
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => begin(name));
    await settled();
    expect(begun).to.deep.equal(['a1', 'a2', 'b1']);
    end('a1');
    await all[0];
    await settled();
    expect(begun.slice(3)).to.deep.equal(['c1']);
    end('a2');
    await all[1];
    await settled();
    expect(begun.slice(4)).to.deep.equal(['a3']);
    for (const name of ['b1', 'c1', 'a3']) end(name);
    await Promise.all([all[2], all[4], all[6]]);
    await settled();
    expect(begun.slice(5)).to.deep.equal(['b2', 'a4']);
    for (const name of ['b2', 'a4']) end(name);
    await Promise.all(all);
  });

  it('goes on after work that fails, and leaves out who waits no longer', async () => {
    const turns = createTurns({ inAll: 1, each: 1 });
    const begun: string[] = [];
    const { begin, end } = start(turns, begun);
    const first = begin('a1');
    const controller = new AbortController();
    const given = failureOf(begin('b1', controller.signal));
    const failing = failureOf(turns.run('c', () => Promise.reject(new Error('on purpose'))));
    const last = begin('d1');
    controller.abort(new Error('cancelled'));
    expect(await given).to.have.property('message', 'cancelled');
    end('a1');
    await first;
    expect(await failing).to.have.property('message', 'on purpose');
    await settled();
    end('d1');
    await last;
    expect(begun).to.deep.equal(['a1', 'd1']);
  });
});
