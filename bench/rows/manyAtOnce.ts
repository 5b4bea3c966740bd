import { type Bench, runTask, townsBody } from '../bench.ts';
import { atOnce, compare, median, timed } from '../measure.ts';
import { cpuOf } from '../processTree.ts';
import { digits, type Row, rowOf } from '../table.ts';

const TASKS = 50;

/** One page each, published; the no-op workflows have the same steps. */
export async function manyAtOnce(bench: Bench): Promise<Row[]> {
  const [one, many] = [
    await publishedOver(bench, 1),
    await publishedOver(bench, bench.sites.length),
  ];
  const what = 'CPU time of a published page, 50 at once, without the Temporal server';
  const told = `${digits(one.cpu)} ms at one site, ${digits(many.cpu)} over ${bench.sites.length}`;
  return [one.row, many.row, { what, aim: '', measured: told }];
}

/** @returns the row, and milliseconds of CPU time that the service's processes took for a page */
async function publishedOver(bench: Bench, count: number): Promise<{ row: Row; cpu: number }> {
  const where = count === 1 ? 'at one site' : `over ${count} sites`;
  const cpu: number[] = [];
  const publish = (n: number) =>
    runTask(bench, bench.sites[n % count]!, townsBody(1, { publish: true }));
  const comparison = await compare(
    `${TASKS} published pages ${where} / no-op workflows`,
    { aim: '2.5', rounds: 3, within: 15_000 },
    {
      async measured() {
        const before = cpuNow(bench);
        const ms = await timed(() => atOnce(TASKS, publish));
        cpu.push((cpuNow(bench) - before) / TASKS);
        return ms;
      },
      baseline: () =>
        timed(() => atOnce(TASKS, () => bench.baseline.run({ pages: 1, publish: true }))),
    },
  );
  // the first round is a warm-up, as for the comparison
  return { row: rowOf(comparison), cpu: median(cpu.length > 1 ? cpu.slice(1) : cpu) };
}

const cpuNow = ({ service }: Bench) => cpuOf(service.launched.pid, service.temporalPid);
