import { type Bench, runTask, townsBody } from '../bench.ts';
import { atOnce, compare, type Comparison, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const TASKS = 50;

/** One page each, published; the no-op workflows have the six steps that such a task had when the aims were set. */
export async function manyAtOnce(bench: Bench) {
  return [rowOf(await publishedOver(bench, 1)), rowOf(await publishedOver(bench, bench.sites.length))];
}

function publishedOver(bench: Bench, count: number): Promise<Comparison> {
  const where = count === 1 ? 'at one site' : `over ${count} sites`;
  const what = `${TASKS} published pages ${where} / no-op workflows`;
  return compare(
    what,
    { aim: '2.5', rounds: 3, within: 15_000 },
    {
      measured: () =>
        timed(() => atOnce(TASKS, (n) => runTask(bench, bench.sites[n % count]!, townsBody(1, { publish: true })))),
      baseline: () => timed(() => atOnce(TASKS, () => bench.baseline.run({ pages: 1, publish: true }))),
    },
  );
}
