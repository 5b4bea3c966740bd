/**
 * Where the time of ten-page tasks goes: `node bench/profile.ts [tasks] [--publish]`. It prints CPU
 * time by thread and the functions in which the main thread is, and writes
 * `.cache/bench.cpuprofile` for the developer tools of Chrome.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endServices, type Service, startService } from '../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../test/helpers/team/site.ts';
import { connectTemporal } from '../test/helpers/temporalClient.ts';
import { createApi, ended, townsBody } from './bench.ts';
import { type CpuProfile, inspect } from './inspector.ts';
import { statOf, treeOf } from './processTree.ts';

const PAGES = 10;
const WARM_UP = 3;
const SHOWN = 25;
const FILE = '.cache/bench.cpuprofile';

type Times = Map<string, number>;

/**
 * Milliseconds of CPU time so far: by name for threads of the service, by command for its other
 * processes.
 */
function cpuTimes({ launched: { pid: service }, temporalPid }: Service): Times {
  const times: Times = new Map();
  const add = (name: string, ms: number) => times.set(name, (times.get(name) ?? 0) + ms);
  for (const thread of readdirSync(`/proc/${service}/task`)) {
    const stat = statOf(`/proc/${service}/task/${thread}/stat`);
    if (stat) add(`thread ${stat.name}`, stat.own);
  }
  for (const pid of treeOf(service)) {
    const stat = statOf(`/proc/${pid}/stat`);
    if (!stat) continue;
    if (pid !== service)
      add(pid === temporalPid ? 'the Temporal server' : `process ${stat.name}`, stat.own);
    add('processes that have ended', stat.ended);
  }
  return times;
}

/** Milliseconds in each function itself, without those that it calls. */
function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Times {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times: Times = new Map();
  samples.forEach((id, i) => {
    const name = names.get(id)!;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i]! / 1_000);
  });
  return times;
}

function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/(?=(?:src|activities|workflows)\/)/, '');
  return `${functionName || '(anonymous)'} ${file}`.trim();
}

function print(title: string, times: Times, tasks: number): void {
  console.log(`\n| ${title} | ms a task |\n| --- | --- |`);
  const sorted = [...times].toSorted(([, a], [, b]) => b - a);
  for (const [name, ms] of sorted.slice(0, SHOWN))
    console.log(`| ${name} | ${(ms / tasks).toFixed(1)} |`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { publish: { type: 'boolean' } },
    allowPositionals: true,
  });
  const tasks = Number(positionals[0] ?? 20);
  const service = await startService({
    command: [process.execPath, '--inspect=127.0.0.1:0', 'src/main.ts'],
  });
  const site = await TeamSite.register(service, 'profile');
  const [api, client, inspector] = [
    createApi(service),
    await connectTemporal(service),
    await inspect(service.launched),
  ];
  const run = async (count: number) => {
    for (let n = 0; n < count; n++)
      await ended(
        client,
        await api.create(site, townsBody(PAGES, { publish: values.publish ?? false })),
      );
  };
  await run(WARM_UP);
  const before = cpuTimes(service);
  const profile = await inspector.profile(() => run(tasks));
  const after = cpuTimes(service);
  writeFileSync(FILE, JSON.stringify(profile));
  print(
    'CPU time of',
    new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)])),
    tasks,
  );
  print('main thread in', selfTimes(profile), tasks);
  inspector.close();
  await client.connection.close();
  await api.close();
}

try {
  await main();
} finally {
  await endServices();
  removeTeamSites();
}
