import { once } from 'node:events';
import { expect } from 'chai';
import { createTreeReader } from '../../../../src/hosting/embedded/treeReader.ts';
import type { Tree } from '../../../../src/sites/git/repository.ts';

const tree: Tree = { commit: 'c', entries: new Map(), read: () => Promise.resolve('') };
const held = { commit: 'c', heldBy: null };
const outcome = (reading: Promise<Tree>) => reading.catch((error: Error) => error.message);

describe('createTreeReader', () => {
  it('reads once for all who ask at the same time, and asks the repository again later', async () => {
    let reads = 0;
    const repository = { tree: () => Promise.resolve((reads++, tree)) };
    const trees = createTreeReader();
    await Promise.all([1, 2, 3].map(() => trees.read('k', repository, held)));
    expect(reads).to.equal(1);
    await trees.read('k', repository, held);
    expect(reads).to.equal(2);
  });

  it('stops reading when the last visitor who waits has gone, and takes that for no failure', async () => {
    const ends: AbortSignal[] = [];
    const repository = {
      tree: (_held: unknown, end?: AbortSignal) => {
        ends.push(end!);
        return ends.length > 1
          ? Promise.resolve(tree)
          : once(end!, 'abort').then(() => Promise.reject(new Error('x')));
      },
    };
    const trees = createTreeReader();
    const visitors = [new AbortController(), new AbortController()];
    const readings = visitors.map(({ signal }) =>
      outcome(trees.read('k', repository, held, signal)),
    );
    visitors[0]!.abort(new Error('gone'));
    expect(await readings[0]).to.equal('gone');
    expect(ends.map(({ aborted }) => aborted)).to.deep.equal([false]);
    visitors[1]!.abort(new Error('gone too'));
    expect(await readings[1]).to.equal('gone too');
    expect(ends.map(({ aborted }) => aborted)).to.deep.equal([true]);
    await new Promise(setImmediate);
    expect(await trees.read('k', repository, held)).to.equal(tree);
  });

  it('lets a failure stand for a while, for its own commit only', async () => {
    let reads = 0;
    const repository = { tree: () => Promise.reject(new Error(`down ${++reads}`)) };
    const trees = createTreeReader();
    const outcomes = [];
    for (const key of ['a', 'a', 'b'])
      outcomes.push(await outcome(trees.read(key, repository, held)));
    expect(outcomes).to.deep.equal(['down 1', 'down 1', 'down 2']);
  });
});
