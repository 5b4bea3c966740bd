import { setTimeout as delay } from 'node:timers/promises';
import { carriedBy } from '../baseline.ts';
import { type Bench, ended, townsBody } from '../bench.ts';
import { allEnded, atOnce, percentile, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const RUNNING = 50;
const PAIRS = 20;
const ROUNDS = 6;
const PAUSE_MS = 40;
const WITHIN_MS = 90_000;

/** Starts something. @returns when it has ended */
type Start = () => Promise<() => Promise<unknown>>;

/**
 * The 95th percentile of all creations, and of plain starts at the same moments: in pairs, in
 * random order. They begin when all tasks run: behind 50 creations at once, a creation would wait
 * for these, which the row `creation` is about.
 */
export async function busyCreation(bench: Bench) {
  const { api, sites, client, baseline } = bench;
  const create = async () => {
    const taskId = await api.create(sites.at(-1)!, townsBody(1));
    return () => ended(client, taskId);
  };
  const taskId = await api.create(sites[0]!, townsBody(1));
  const carried = await carriedBy(client, taskId);
  await ended(client, taskId);
  const start = async () => {
    const handle = await baseline.start({ pages: 1 }, carried);
    return () => handle.result();
  };
  const [measured, plain] = [timesOf(create), timesOf(start)];
  const began = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - began < WITHIN_MS; round++)
    await besideTasks(bench, [measured, plain]);
  const what = `a creation beside ${RUNNING} tasks / \`workflow.start\` at the same moments, 95th percentiles`;
  const both = {
    measured: [percentile(measured.times, 0.95)],
    baseline: [percentile(plain.times, 0.95)],
  };
  return [rowOf({ what, aim: '2', unit: 'ms', ...both })];
}

/** Notes how long each start takes. */
function timesOf(start: Start) {
  const times: number[] = [];
  let end: () => Promise<unknown>;
  return {
    times,
    async start() {
      times.push(await timed(async () => (end = await start())));
      return end;
    },
  };
}

/** Starts pairs while the tasks run, and waits for the end of all. */
async function besideTasks({ api, sites, client }: Bench, pair: { start: Start }[]): Promise<void> {
  const publish = (n: number) =>
    api.create(sites[n % sites.length]!, townsBody(1, { publish: true }));
  const taskIds = await atOnce(RUNNING, publish);
  let left = RUNNING;
  const running = taskIds.map((taskId) => ended(client, taskId).finally(() => left--));
  const ends: (() => Promise<unknown>)[] = [];
  for (let n = 0; left > 0 && n < PAIRS; n++)
    for (const { start } of Math.random() < 0.5 ? pair : pair.toReversed()) {
      ends.push(await start());
      await delay(PAUSE_MS);
    }
  await allEnded<unknown>([...running, ...ends.map((end) => end())]);
}
