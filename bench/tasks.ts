import { type Client, WorkflowFailedError } from '@temporalio/client';
import { endServices, type Service, startService } from '../test/helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../test/helpers/teamSite.ts';
import { connectTemporal, temporalAddress } from '../test/helpers/temporalClient.ts';
import { type Baseline, startBaseline } from './baseline.ts';
import { compare, type Comparison, median, rowOf, timed } from './measure.ts';

/** A run that takes longer has something to tell other than its figures. */
const AT_MOST_MS = 10 * 60_000;
const TASKS_AT_ONCE = 50;
const noLimits = { RATE_LIMIT_CREATE_PER_MINUTE: '100000', RATE_LIMIT_READ_PER_MINUTE: '100000' };
const cities = 'Lisbon Porto Braga Faro Evora Aveiro Coimbra Setubal Leiria Viseu'.split(' ');

interface Bench {
  service: Service;
  site: TeamSite;
  client: Client;
  baseline: Baseline;
}

/** The service as users run it, in a temporary data folder, and plain Temporal on the same embedded server. */
async function prepare(): Promise<Bench> {
  const service = await startService({ env: noLimits });
  const site = await TeamSite.register(service, 'bench');
  const client = await connectTemporal(service);
  return { service, site, client, baseline: await startBaseline(client, temporalAddress(service)) };
}

/** Waits for a task's workflow. Throws if the task failed. */
async function ended(client: Client, taskId: string): Promise<void> {
  await client.workflow.getHandle(taskId).result();
}

/** The time of the creation alone: the work that it began ends before the next one. */
const creating = ({ site, client, baseline }: Bench) =>
  compare('create a task: POST / `workflow.start`', 20, {
    async ours() {
      const began = performance.now();
      const taskId = await site.create(citiesBody(cities.slice(0, 1)));
      const ms = performance.now() - began;
      await ended(client, taskId);
      return ms;
    },
    async raw() {
      const began = performance.now();
      const handle = await baseline.start(1);
      const ms = performance.now() - began;
      await handle.result();
      return ms;
    },
  });

const runningThrough = ({ site, client, baseline }: Bench) =>
  compare('ten pages, end to end / ten no-op activities', 9, {
    ours: () => timed(async () => ended(client, await site.create(citiesBody(cities)))),
    raw: () => timed(async () => (await baseline.start(cities.length)).result()),
  });

interface AtOnce {
  comparison: Comparison;
  taskIds: string[];
}

async function manyAtOnce({ site, client, baseline }: Bench): Promise<AtOnce> {
  const each = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: TASKS_AT_ONCE }, work));
  let taskIds: string[] = [];
  const comparison = await compare(`${TASKS_AT_ONCE} one-page tasks of one site at once / as many no-op workflows`, 3, {
    ours: () =>
      timed(async () => {
        taskIds = await each(() => site.create(citiesBody(cities.slice(0, 1))));
        await Promise.all(taskIds.map((taskId) => ended(client, taskId)));
      }),
    raw: () => timed(async () => each(async () => (await baseline.start(1)).result())),
  });
  return { comparison, taskIds };
}

const describing = ({ client }: Bench, taskId: string) => timed(() => client.workflow.getHandle(taskId).describe());

/** @param taskIds finished tasks that have not been read yet */
const readingFirst = (bench: Bench, taskIds: string[]) =>
  compare('read a finished task for the first time: GET / `describe`', 40, {
    ours: (run) => timed(() => bench.service.readTask(taskIds[run]!)),
    raw: (run) => describing(bench, taskIds[run]!),
  });

const readingAgain = (bench: Bench, taskId: string) =>
  compare('read it again: GET / `describe`', 40, {
    ours: () => timed(() => bench.service.readTask(taskId)),
    raw: () => describing(bench, taskId),
  });

/** The task is held at the push of its commit, so that it runs as long as it is read. */
async function readingRunning(bench: Bench): Promise<Comparison> {
  const gate = bench.site.gate('refs/agent-tasks/');
  const taskId = await bench.site.create(citiesBody(cities.slice(0, 1)));
  await gate.arrived();
  const comparison = await compare('read a running task: GET / `describe`', 40, {
    ours: () => timed(() => bench.service.readTask(taskId)),
    raw: () => describing(bench, taskId),
  });
  gate.open();
  await ended(bench.client, taskId);
  return comparison;
}

/** Where the time of the ten-page tasks went, by the service's own log. */
function stepsOf({ launched }: Service, taskCount: number): string[] {
  const lines = launched.lines().filter(({ msg }) => msg === 'task phase done');
  const names = [...new Set(lines.map(({ activity }) => activity as string))];
  return names.map((name) => {
    const times = lines.filter(({ activity }) => activity === name).map(({ ms }) => ms as number);
    return `| ${name} | ${median(times).toFixed(0)} ms | ${(times.length / taskCount).toFixed(0)} |`;
  });
}

async function measureAll(bench: Bench): Promise<void> {
  const tenPages = await runningThrough(bench);
  const steps = stepsOf(bench.service, tenPages.ours.length + 1);
  const created = await creating(bench);
  const { comparison: atOnce, taskIds } = await manyAtOnce(bench);
  const reads = [await readingFirst(bench, taskIds), await readingAgain(bench, taskIds[0]!)];
  reads.push(await readingRunning(bench));

  console.log('| what | ratio | this service | plain Temporal | runs |\n| --- | --- | --- | --- | --- |');
  console.log([created, ...reads, tenPages, atOnce].map(rowOf).join('\n'));
  const perSecond = (times: number[]) => ((TASKS_AT_ONCE * 1_000) / median(times)).toFixed(1);
  console.log(
    `\n${TASKS_AT_ONCE} at once: ${perSecond(atOnce.ours)} tasks/s, plain ${perSecond(atOnce.raw)} workflows/s`,
  );
  console.log('\n| step of a ten-page task | median | times a task |\n| --- | --- | --- |');
  console.log(steps.join('\n'));
}

async function main(): Promise<void> {
  const tooLong = setTimeout(() => {
    console.error(`Not done within ${AT_MOST_MS / 60_000} minutes`);
    process.exit(1);
  }, AT_MOST_MS);
  try {
    const bench = await prepare();
    await measureAll(bench).finally(() => bench.baseline.close());
    await bench.client.connection.close();
  } catch (error) {
    if (error instanceof WorkflowFailedError)
      throw new Error(`A task failed: ${error.cause?.message}`, { cause: error });
    throw error;
  } finally {
    await endServices();
    removeTeamSites();
    clearTimeout(tooLong);
  }
}

await main();
