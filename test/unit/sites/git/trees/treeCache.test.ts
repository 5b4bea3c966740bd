import { expect } from 'chai';
import { createTreeCache } from '../../../../../src/sites/git/trees/treeCache.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import { failureOf } from '../../../../helpers/team/workplace.ts';

const treeOf = (commit: string, files: number): Tree => ({
  commit,
  entries: new Map(
    Array.from({ length: files }, (_, i) => [
      `${i}`,
      { path: `${i}`, id: '', mode: '100644', size: 1 },
    ]),
  ),
  read: () => Promise.resolve(''),
});

describe('createTreeCache(bytes)', () => {
  /** A reading that ends when the test says so, and counts how often it began. */
  function reading(tree: Tree) {
    const { promise, resolve } = Promise.withResolvers<Tree>();
    const ends: AbortSignal[] = [];
    const read = (end: AbortSignal) => {
      ends.push(end);
      return promise;
    };
    return { read, ends, finish: () => resolve(tree) };
  }

  it('reads a tree once for all simultaneous callers, and keeps it', async () => {
    const trees = createTreeCache().of('site-1');
    const { read, ends, finish } = reading(treeOf('a', 3));
    const asked = [1, 2, 3].map(() => trees.read('a', read));
    expect(trees.get('a')).to.equal(undefined);
    finish();
    expect(new Set(await Promise.all([...asked, trees.read('a', read)])).size).to.equal(1);
    expect(ends).to.have.length(1);
    expect(trees.get('a')?.commit).to.equal('a');
  });

  it('keeps the trees of different folders apart', async () => {
    const all = createTreeCache();
    await all.of('site-1 web').read('a', () => Promise.resolve(treeOf('a', 1)));
    expect(all.of('site-1 ').get('a')).to.equal(undefined);
    expect(all.of('site-1 web').get('a')?.commit).to.equal('a');
  });

  it('answers callers that wait for a read while others use all the room', async () => {
    const trees = createTreeCache(1_000).of('site-1');
    const { read, finish } = reading(treeOf('slow', 3));
    const asked = [trees.read('slow', read), trees.read('slow', read)];
    for (let i = 0; i < 5; i++)
      await trees.read(`other-${i}`, () => Promise.resolve(treeOf(`other-${i}`, 3)));
    finish();
    for (const tree of await Promise.all(asked)) expect(tree.commit).to.equal('slow');
    const huge = await trees.read('huge', () => Promise.resolve(treeOf('huge', 10)));
    expect([huge.entries.size, trees.get('huge')]).to.deep.equal([10, undefined]);
  });

  it('stops reading with the last waiting caller, and keeps no failure', async () => {
    const trees = createTreeCache().of('site-1');
    const { read, ends } = reading(treeOf('a', 1));
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => failureOf(trees.read('a', read, signal)));
    first.abort(new Error('first gone'));
    expect((await asked[0])?.message).to.equal('first gone');
    expect(ends[0]?.aborted).to.equal(false);
    second.abort(new Error('second gone'));
    expect((await asked[1])?.message).to.equal('second gone');
    expect(ends.map(({ aborted }) => aborted)).to.deep.equal([true]);
    expect((await trees.read('a', () => Promise.resolve(treeOf('a', 1)))).commit).to.equal('a');
  });
});
