import { expect } from 'chai';
import { createCoalescer } from '../../../../src/sites/git/clones/coalescedWork.ts';

describe('createCoalescer(inTurn)', () => {
  /** Works that wait until all of them have asked. @returns how many each turn did */
  async function sizesOf(kinds: string[]): Promise<Record<string, number[]>> {
    const open = Promise.withResolvers<void>();
    let last = open.promise;
    const together = createCoalescer((work) => (last = last.then(work)));
    const sizes: Record<string, number[]> = {};
    const asked = kinds.map((kind, at) =>
      together(kind, at, (callers: { argument: number }[]) => {
        (sizes[kind] ??= []).push(callers.length);
        return Promise.resolve(
          callers.map(({ argument }) => ({ status: 'fulfilled' as const, value: argument })),
        );
      }),
    );
    open.resolve();
    expect(await Promise.all(asked)).to.deep.equal(kinds.map((_, at) => at));
    return sizes;
  }
  const times = (count: number, kind: string) => Array<string>(count).fill(kind);

  for (const [count, sizes] of [
    [25, [25]],
    [26, [25, 1]],
    [60, [25, 25, 10]],
  ] as const)
    it(`does the work of ${count} callers in turns of at most 25, whose time counts for each of them`, async () => {
      expect(await sizesOf(times(count, 'push'))).to.deep.equal({ push: sizes });
    });

  it('lets callers join the waiting turn while a full turn works', async () => {
    const turns: (() => Promise<void>)[] = [];
    const together = createCoalescer((work) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      turns.push(() => work().then(resolve));
      return promise;
    });
    const sizes: number[] = [];
    const ask = () =>
      together('push', 0, (callers) => {
        sizes.push(callers.length);
        return Promise.resolve(callers.map(() => ({ status: 'fulfilled' as const, value: 0 })));
      });
    const asked = times(26, 'push').map(ask);
    await turns[0]!();
    asked.push(ask(), ask());
    for (const turn of turns.slice(1)) await turn();
    await Promise.all(asked);
    expect(sizes).to.deep.equal([25, 3]);
  });

  it('counts each kind of work separately', async () => {
    const sizes = await sizesOf([...times(20, 'push'), ...times(20, 'fetch'), ...times(8, 'push')]);
    expect(sizes).to.deep.equal({ push: [25, 3], fetch: [20] });
  });
});
