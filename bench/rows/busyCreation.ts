import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, ended, townsBody } from '../bench.ts';
import { allEnded, atOnce, percentile, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const RUNNING = 50;
const SAMPLES = 60;
const ROUNDS = 3;
const PAUSE_MS = 40;
const WITHIN_MS = 40_000;

/**
 * The 95th percentile of all creations of a kind: those of several rounds count together. They begin when all tasks
 * run: behind 50 creations at once, a creation would wait for these, which the row `creation` is about.
 */
export async function busyCreation(bench: Bench) {
  const [busy, idle]: [number[], number[]] = [[], []];
  const began = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - began < WITHIN_MS; round++) {
    idle.push(...(await whileIdle(bench)));
    busy.push(...(await whileBusy(bench)));
  }
  const what = `creation's 95th percentile: ${RUNNING} tasks run / idle`;
  const both = { measured: [percentile(busy, 0.95)], baseline: [percentile(idle, 0.95)] };
  return [rowOf({ what, aim: '2', unit: 'ms', ...both })];
}

async function create({ api, sites }: Bench, times: number[]): Promise<string> {
  let taskId = '';
  times.push(await timed(async () => void (taskId = await api.create(sites.at(-1)!, townsBody(1)))));
  return taskId;
}

/** The work that a creation began ends before the next one. */
async function whileIdle(bench: Bench): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < SAMPLES / ROUNDS; n++) await ended(bench.client, await create(bench, times));
  return times;
}

async function whileBusy(bench: Bench): Promise<number[]> {
  const { sites } = bench;
  const times: number[] = [];
  const created: string[] = [];
  const publish = (n: number) => bench.api.create(sites[n % sites.length]!, townsBody(1, { publish: true }));
  const taskIds = await atOnce(RUNNING, publish);
  let left = RUNNING;
  const running = allEnded(taskIds.map((taskId) => ended(bench.client, taskId).finally(() => left--)));
  const creating = async () => {
    for (; left > 0 && created.length < SAMPLES / ROUNDS; await delay(PAUSE_MS))
      created.push(await create(bench, times));
  };
  await allEnded<unknown>([running, creating()]);
  await allEnded(created.map((taskId) => ended(bench.client, taskId)));
  return times;
}
