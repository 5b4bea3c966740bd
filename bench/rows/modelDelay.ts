import { citiesTask } from '../../test/helpers/modelStory.ts';
import { type Bench, MODEL, runTask } from '../bench.ts';
import { compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

/** The scripted model answers each call after a second. */
export async function modelDelay(bench: Bench) {
  const { items, ...body } = citiesTask();
  const generate = (count: number) =>
    timed(() =>
      runTask(bench, bench.sites[0]!, { ...body, model: MODEL, items: items.slice(0, count) }),
    );
  const comparison = await compare(
    'ten items at 1 s model delay / one',
    { aim: '1.1', rounds: 4 },
    {
      measured: () => generate(items.length),
      baseline: () => generate(1),
    },
  );
  return [rowOf(comparison)];
}
