import { expect } from 'chai';
import { createBlobWriter } from '../../../../../src/sites/git/clones/blobWriter.ts';
import { createFairQueue } from '../../../../../src/fairQueue.ts';
import { failureOf } from '../../../../helpers/team/workplace.ts';

const id = (digit: number) => String(digit).repeat(40);

describe('createBlobWriter(store, siteId, queue)', () => {
  /** A store whose git ends when the test says so, and the writers of two sites on it. */
  function start() {
    const began: string[] = [];
    const ends: (() => void)[] = [];
    const store = {
      git: (_args: string[], { output = '' } = {}) => {
        began.push(output);
        return new Promise<string>((resolve) => ends.push(() => resolve('')));
      },
    };
    const queue = createFairQueue({ what: 'a turn to copy a file', places: 2, perCaller: 1 });
    const [one, two] = ['site-1', 'site-2'].map((siteId) => createBlobWriter(store, siteId, queue));
    const end = async () => {
      ends.shift()!();
      await new Promise(setImmediate);
    };
    return { one: one!, two: two!, began, end };
  }
  const settle = () => new Promise(setImmediate);

  it('writes one blob of a site at a time, beside those of other sites', async () => {
    const { one, two, began, end } = start();
    const writes = [one(id(1), 'a'), one(id(2), 'b'), two(id(3), 'c')];
    await settle();
    expect(began).to.deep.equal(['a', 'c']);
    await end();
    expect(began).to.deep.equal(['a', 'c', 'b']);
    await end();
    await end();
    await Promise.all(writes);
  });

  it('passes its turn on if its signal aborts while it waits, and starts no git', async () => {
    const { one, began, end } = start();
    const gone = new AbortController();
    const first = one(id(1), 'a');
    const given = failureOf(one(id(2), 'b', gone.signal));
    const next = one(id(3), 'c');
    await settle();
    gone.abort(new Error('gone'));
    expect((await given)?.message).to.equal('gone');
    await end();
    await first;
    expect(began).to.deep.equal(['a', 'c']);
    await end();
    await next;
  });

  it('rejects invalid object IDs, in whatever turn', async () => {
    const { one, began } = start();
    expect(await failureOf(one('--help', 'a'))).to.include({ code: 'INVALID_INPUT' });
    expect(began).to.deep.equal([]);
  });
});
