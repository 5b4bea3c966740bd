import { type Bench, ended, townsBody } from '../bench.ts';
import { carriedBy } from '../baseline.ts';
import { allEnded, atOnce, compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const AT_ONCE = 16;

/** The time of the creations alone: the work that they began ends before the next ones. */
export async function creation({ api, sites, client, baseline }: Bench) {
  const first = await api.create(sites[0]!, townsBody(1));
  const carried = await carriedBy(client, first);
  await ended(client, first);
  const comparison = await compare(
    `create: ${AT_ONCE} POSTs at once / \`workflow.start\` of the same input`,
    {
      aim: '1.05',
      rounds: 8,
      within: 40_000,
    },
    {
      async measured() {
        let taskIds: string[] = [];
        const ms = await timed(async () => {
          taskIds = await atOnce(AT_ONCE, (n) =>
            api.create(sites[n % sites.length]!, townsBody(1)),
          );
        });
        await allEnded(taskIds.map((taskId) => ended(client, taskId)));
        return ms;
      },
      async baseline() {
        let handles: Awaited<ReturnType<typeof baseline.start>>[] = [];
        const ms = await timed(async () => {
          handles = await atOnce(AT_ONCE, () => baseline.start({ pages: 1 }, carried));
        });
        await allEnded(handles.map((handle) => handle.result()));
        return ms;
      },
    },
  );
  return [rowOf(comparison)];
}
