import type { Client } from '@temporalio/client';
import { endServices, type Service, startService } from '../test/helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../test/helpers/team/site.ts';
import { connectTemporal } from '../test/helpers/temporalClient.ts';
import { until } from '../test/helpers/until.ts';
import { type Inspector, inspect, residentBytes } from './inspector.ts';
import { readNothing, siteOfLargeFiles } from './slowReaders.ts';

const AT_MOST_MS = 30 * 60_000;
const WAVE_WITHIN_MS = 8 * 60_000;
const SAMPLE_MS = 200;
const SITES = 5;
const CLIENTS = 20;
/**
 * One task in so many runs to its end. The others are cancelled once all are in flight: git would
 * take too long.
 */
const ENDS_EVERY = 10;

interface Load {
  service: Service;
  client: Client;
  inspector: Inspector;
  sites: TeamSite[];
  largeFiles: TeamSite;
}

interface Wave {
  inFlight: number;
  /** Bytes. */
  peak: number;
  after: number;
  heap: number;
  seconds: number;
}

async function prepare(): Promise<Load> {
  const command: [string, ...string[]] = [process.execPath, '--inspect=127.0.0.1:0', 'src/main.ts'];
  const service = await startService({ command });
  const sites = [];
  for (let n = 0; n < SITES; n++) sites.push(await TeamSite.register(service, `load-${n}`));
  const largeFiles = await siteOfLargeFiles(service);
  const inspector = await inspect(service.launched);
  return { service, client: await connectTemporal(service), inspector, sites, largeFiles };
}

/** Does the work for each of so many numbers, as so many clients at the same time. */
async function asClients<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const client = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return results;
}

/** Asks again where Temporal does not answer in time, as clients do: nothing has begun then. */
function create(site: TeamSite, city: string): Promise<string> {
  return until('a task to begin', () => site.create(citiesBody([city])).catch(() => undefined));
}

/**
 * Holds every site at a push until all tasks are created and in flight; then lets them run to their
 * ends.
 */
async function run(
  { service, client, inspector, sites }: Load,
  wave: number,
  tasks: number,
): Promise<Wave> {
  const began = performance.now();
  const pid = service.launched.pid;
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), SAMPLE_MS);
  const gates = sites.map((site) => site.gate('refs/agent-tasks/'));
  await Promise.all(sites.map((site) => create(site, `First-${wave}`)));
  await Promise.all(gates.map((gate) => gate.arrived()));
  const taskIds = await asClients(tasks - SITES, (n) =>
    create(sites[n % SITES]!, `City-${wave}-${n}`),
  );
  const running = async () => (await client.workflow.count("ExecutionStatus = 'Running'")).count;
  const inFlight = await until('the tasks to be listed', async () => {
    const count = await running();
    return count >= tasks && count;
  });
  const kept = taskIds.filter((_, n) => n % ENDS_EVERY === 0);
  const cancelled = taskIds.filter((_, n) => n % ENDS_EVERY !== 0);
  await asClients(cancelled.length, (n) =>
    service.request('POST', `/api/v1/agent/tasks/${cancelled[n]}/cancel`),
  );
  gates.forEach((gate) => gate.open());
  await until('the end of the tasks', async () => (await running()) === 0, WAVE_WITHIN_MS, 500);
  clearInterval(sampling);
  const views = await asClients(kept.length, (n) => service.readTask(kept[n]!));
  if (views.some(({ status }) => status !== 'completed')) throw new Error(JSON.stringify(views));
  const { heap } = await inspector.memoryAfterGc();
  return {
    inFlight,
    peak,
    after: residentBytes(pid),
    heap,
    seconds: (performance.now() - began) / 1_000,
  };
}

const mb = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;

async function measure(load: Load, tasks: number, count: number): Promise<void> {
  const { service, inspector } = load;
  console.log(
    `started: rss ${mb(residentBytes(service.launched.pid))}, heap ${mb((await inspector.memoryAfterGc()).heap)}`,
  );
  await run(load, 0, 4 * SITES);
  console.log(
    `warm: rss ${mb(residentBytes(service.launched.pid))}, heap ${mb((await inspector.memoryAfterGc()).heap)}\n`,
  );
  console.log(
    '| wave | in flight | peak rss | to the first | rss after | heap after gc | to the first | seconds |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  let first: Wave | undefined;
  for (let wave = 1; wave <= count; wave++) {
    const now = await run(load, wave, tasks);
    first ??= now;
    const ratios = [now.peak / first.peak, now.heap / first.heap].map((ratio) => ratio.toFixed(2));
    const cells = [
      wave,
      now.inFlight,
      mb(now.peak),
      ratios[0],
      mb(now.after),
      mb(now.heap),
      ratios[1],
    ];
    console.log(`| ${[...cells, now.seconds.toFixed(0)].join(' | ')} |`);
  }
}

async function main(): Promise<void> {
  const [tasks = 500, waves = 4] = process.argv.slice(2).map(Number);
  const tooLong = setTimeout(() => {
    console.error(`Not done within ${AT_MOST_MS / 60_000} minutes`);
    process.exit(1);
  }, AT_MOST_MS);
  try {
    const load = await prepare();
    const stopReading = readNothing(load.largeFiles);
    await measure(load, tasks, waves);
    stopReading();
    load.inspector.close();
    await load.client.connection.close();
  } finally {
    await endServices();
    removeTeamSites();
    clearTimeout(tooLong);
  }
}

await main();
