import { type Bench, runTask, townsBody } from '../bench.ts';
import { compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const PAGES = 10;

export async function tenPages(bench: Bench) {
  const { sites, baseline } = bench;
  const comparison = await compare(
    'ten pages / ten no-op activities',
    { aim: '3.5', rounds: 12 },
    {
      measured: () => timed(() => runTask(bench, sites[0]!, townsBody(PAGES))),
      baseline: () => timed(() => baseline.run({ pages: PAGES })),
    },
  );
  return [rowOf(comparison)];
}
