/**
 * The service on a cluster, with more and more workers: `node bench/cluster.ts [--workers 1,2,4]
 * [--tasks 60] [--rounds 3]`. It prints tasks a second, CPU time by program, memory, connections
 * and polls.
 */
import { Client, Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Cluster, operateOn, startCluster } from '../test/helpers/cluster.ts';
import type { LaunchedProcess } from '../test/helpers/launched.ts';
import { freePort } from '../test/helpers/ports.ts';
import { endServices, type Service } from '../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../test/helpers/team/site.ts';
import { type Api, createApi, ended, townsBody } from './bench.ts';
import { atOnce, median, timed } from './measure.ts';
import { cpuOf, statOf, treeOf } from './processTree.ts';

const SITES = 10;
const IDLE_MS = 20_000;
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    tasks: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
});

interface Worker {
  process: LaunchedProcess;
  metrics: string;
}

interface Setting {
  cluster: Cluster;
  service: Service;
  api: Api;
  sites: TeamSite[];
  client: Client;
  workers: Worker[];
}

/** Processes by what they are part of. */
function programs({ service, workers }: Partial<Setting>): Record<string, number[]> {
  const children = treeOf(process.pid).filter(
    (pid) => statOf(`/proc/${pid}/stat`)?.parent === process.pid,
  );
  const named = (name: string) =>
    children.filter((pid) => statOf(`/proc/${pid}/stat`)?.name === name);
  return {
    'Temporal server': named('temporal-server'),
    PostgreSQL: named('postgres'),
    api: service ? [service.launched.pid] : [],
    workers: workers?.map((worker) => worker.process.pid) ?? [],
  };
}

const cpuNow = (setting: Partial<Setting>) =>
  Object.entries(programs(setting)).map(
    ([name, pids]) => [name, sum(pids.map((pid) => cpuOf(pid, 0)))] as const,
  );
/** Of a worker's time, what only one core can do. */
const mainThreads = ({ workers }: Setting) =>
  sum(workers.map(({ process: { pid } }) => statOf(`/proc/${pid}/task/${pid}/stat`)?.own ?? 0));
const memoryNow = (setting: Partial<Setting>) =>
  Object.entries(programs(setting)).map(
    ([name, pids]) => [name, sum(pids.flatMap(treeOf).map(residentOf))] as const,
  );
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

/** Bytes in RAM; what processes share is divided among them. */
function residentOf(pid: number): number {
  try {
    return (
      Number(
        /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0,
      ) * 1024
    );
  } catch {
    return 0;
  }
}

/** Milliseconds of CPU time of each program while the work is done. */
async function cpuDuring(setting: Partial<Setting>, work: () => Promise<unknown>) {
  const before = new Map(cpuNow(setting));
  await work();
  return new Map(cpuNow(setting).map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
}

const told = (entries: Iterable<readonly [string, number]>, unit: string) =>
  [...entries]
    .map(([name, value]) => `${name} ${value.toFixed(unit === '%' ? 1 : 0)} ${unit}`)
    .join(', ');
const inMegabytes = (entries: Iterable<readonly [string, number]>) =>
  [...entries].map(([name, bytes]) => [name, bytes / 1024 ** 2] as const);

async function printIdle(title: string, setting: Partial<Setting>): Promise<void> {
  const cpu = await cpuDuring(setting, () => delay(IDLE_MS));
  console.log(`${title}, idle: ${told(inMegabytes(memoryNow(setting)), 'MB')}`);
  const share = [...cpu].map(([name, ms]) => [name, (100 * ms) / IDLE_MS] as const);
  console.log(`  of a core: ${told(share, '%')}`);
}

async function prepare(cluster: Cluster): Promise<Setting> {
  const { deployment } = cluster;
  const owner = { organizationId: '', apiKey: '' };
  await operateOn(deployment, async (command) => {
    const { organizationId } = await command('organization create', { name: 'Bench' });
    const key = { organization: organizationId, role: 'member', name: 'bench' };
    Object.assign(owner, { organizationId, apiKey: (await command('key create', key)).apiKey });
  });
  const service = await deployment.startApi(owner);
  const sites: TeamSite[] = [];
  for (let n = 0; n < SITES; n++) sites.push(new TeamSite(service, `cluster-${n}`));
  await operateOn(deployment, async (command) => {
    for (const site of sites) {
      const options = {
        organization: owner.organizationId,
        name: site.name,
        repository: site.remote,
      };
      site.siteId = (await command('site create', options)).siteId!;
    }
  });
  const connection = await Connection.connect({ address: cluster.temporal.address });
  const client = new Client({ connection, namespace: deployment.namespace });
  return { cluster, service, api: createApi(service), sites, client, workers: [] };
}

async function addWorker({ cluster, workers }: Setting): Promise<void> {
  const metrics = `127.0.0.1:${await freePort()}`;
  workers.push({
    process: await cluster.deployment.startWorker({ METRICS_ADDRESS: metrics }),
    metrics,
  });
}

const metricsOf = async ({ metrics }: Worker) => (await fetch(`http://${metrics}/metrics`)).text();

/** Calls of Temporal so far, polls among them. */
async function callsOf(workers: Worker[]): Promise<number> {
  const texts = await Promise.all(workers.map(metricsOf));
  const lines = texts.flatMap((text) => [
    ...text.matchAll(/^temporal_(?:long_)?request_total\{[^}]*\} (\d+)/gm),
  ]);
  return sum(lines.map(([, count]) => Number(count)));
}

/** How many polls a worker has open, by queue, as the SDK counts them. */
async function pollsOf(worker: Worker): Promise<Map<string, number>> {
  const text = await metricsOf(worker);
  const polls = new Map<string, number>();
  for (const [, labels = '', value] of text.matchAll(/^temporal_num_pollers\{([^}]*)\} (\d+)/gm)) {
    const [type, queue] = ['poller_type', 'task_queue'].map(
      (name) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1],
    );
    polls.set(`${type} ${queue}`, Number(value));
  }
  return polls;
}

async function connections({ cluster }: Setting): Promise<[string, number][]> {
  const database = new pg.Client({ connectionString: cluster.postgres.url });
  await database.connect();
  const { rows } = await database.query<{ datname: string; count: string }>(
    'SELECT datname, count(*) FROM pg_stat_activity WHERE datname IS NOT NULL GROUP BY 1 ORDER BY 1',
  );
  await database.end();
  return rows.map(({ datname, count }) => [datname, Number(count)]);
}

/** So many published tasks of one page each, at once. @returns seconds */
async function run({ api, sites, client }: Setting, tasks: number): Promise<number> {
  const ms = await timed(() =>
    atOnce(tasks, async (n) =>
      ended(client, await api.create(sites[n % SITES]!, townsBody(1, { publish: true }))),
    ),
  );
  return ms / 1_000;
}

async function measure(setting: Setting, tasks: number, rounds: number): Promise<void> {
  const rates: number[] = [];
  await run(setting, tasks);
  let seconds = 0;
  const [main, calls] = [mainThreads(setting), await callsOf(setting.workers)];
  const cpu = await cpuDuring(setting, async () => {
    for (let round = 0; round < rounds; round++) {
      const took = await run(setting, tasks);
      seconds += took;
      rates.push(tasks / took);
    }
  });
  console.log(
    `  ${median(rates).toFixed(2)} tasks a second (${rates.map((rate) => rate.toFixed(2)).join(', ')})`,
  );
  const each = [...cpu].map(([name, ms]) => [name, ms / tasks / rounds] as const);
  console.log(
    `  CPU time of a task: ${told(each, 'ms')}; all ${sum(each.map(([, ms]) => ms)).toFixed(0)} ms`,
  );
  console.log(
    `  of the workers' main threads: ${((mainThreads(setting) - main) / tasks / rounds).toFixed(0)} ms`,
  );
  const made = (await callsOf(setting.workers)) - calls;
  console.log(`  calls of Temporal by workers for a task: ${(made / tasks / rounds).toFixed(0)}`);
  const share = [...cpu].map(([name, ms]) => [name, ms / seconds / 10] as const);
  console.log(`  of a core: ${told(share, '%')}`);
  console.log(`  memory after: ${told(inMegabytes(memoryNow(setting)), 'MB')}`);
  console.log(`  connections: ${told(await connections(setting), '')}`);
}

async function main(): Promise<void> {
  const began = performance.now();
  const cluster = await startCluster();
  console.log(`started in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  let setting: Setting | undefined;
  try {
    await printIdle('without workers', {});
    setting = await prepare(cluster);
    for (const count of values.workers.split(',').map(Number)) {
      while (setting.workers.length < count) await addWorker(setting);
      await printIdle(`${count} workers`, setting);
      if (count === 1)
        console.log('  polls:', Object.fromEntries(await pollsOf(setting.workers[0]!)));
      await measure(setting, Number(values.tasks), Number(values.rounds));
    }
  } finally {
    await setting?.api.close();
    await setting?.client.connection.close();
    await endServices();
    removeTeamSites();
    await cluster.stop();
  }
}

await main();
