import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import type { Client } from '@temporalio/client';
import { CLEAN_UP_WORKFLOW, TASK_QUEUE } from '../src/contract/task.ts';
import type { CommandLauncher } from '../src/sites/git/launcher/launcher.ts';
import { createRepositories } from '../src/sites/git/repositories.ts';
import { createRetention } from '../src/storage/retention.ts';
import { createRunningTasks } from '../src/temporal/tasks/runningTasks.ts';
import { createWorker } from '../src/temporal/worker/worker.ts';
import { atTime } from '../test/helpers/atTime.ts';
import { TaskSite } from '../test/helpers/activities.ts';
import { createAuthority } from '../test/helpers/certificates.ts';
import { testDatabase } from '../test/helpers/database.ts';
import { hangingServer } from '../test/helpers/hangingServer.ts';
import { testLauncher } from '../test/helpers/launcher.ts';
import { unlimited } from '../test/helpers/leases.ts';
import { startOwnTemporal } from '../test/helpers/ownTemporal.ts';
import { bundles } from '../test/helpers/temporal.ts';
import { serveHttps } from '../test/helpers/team/httpsRemote.ts';
import { timed } from './measure.ts';
import { cpuOf } from './processTree.ts';

/*
 * The clean-up of 500 sites, of which ten hang: `node bench/cleanUp.ts [sites] [hanging]` (Linux).
 * The remotes are repositories behind https on this machine. Those that hang take connections and
 * never answer.
 */

const [sites = 500, hanging = 10] = process.argv.slice(2).map(Number);
const RESULTS = 4;
const DAY_MS = 86_400_000;
const AT_MOST_MS = 30 * 60_000;
const NO_PROCESS = 0;

/** So many remotes, each with some results of tasks. @returns their addresses */
async function serveRemotes(
  resources: AsyncDisposableStack,
  { workplace }: TaskSite,
  count: number,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clean-up-'));
  resources.defer(() => rmSync(folder, { recursive: true }));
  const lineOf = (id: number) =>
    `${workplace.head()} refs/agent-tasks/bg-${String(id).padStart(22, '0')}\n`;
  const names = Array.from({ length: count }, (_, n) => `${n}.git`);
  for (const [n, name] of names.entries()) {
    cpSync(workplace.remote, join(folder, name), { recursive: true });
    const refs = Array.from({ length: RESULTS }, (_, k) => lineOf(n * RESULTS + k));
    writeFileSync(
      join(folder, name, 'packed-refs'),
      `# pack-refs with: peeled fully-peeled sorted \n${refs.join('')}`,
    );
  }
  const authority = await createAuthority();
  tls.setDefaultCACertificates([authority.ca]);
  const server = await serveHttps(folder, await authority.issue({ ip: ['127.0.0.1'] }));
  resources.defer(() => server.close());
  return names.map((name) => `${server.url}/${name}`);
}

/** Counts the commands of git, and how many of them run at the same time. */
function countCommands() {
  const counts = { commands: 0, now: 0, most: 0 };
  const launcher: CommandLauncher = {
    ...testLauncher,
    run(...command) {
      counts.commands++;
      counts.most = Math.max(counts.most, ++counts.now);
      return testLauncher.run(...command).finally(() => counts.now--);
    },
  };
  return { launcher, counts };
}

/** A worker on a Temporal server, with the clean-up of real sites. */
async function prepare(resources: AsyncDisposableStack) {
  const { client, connection, namespace } = await startOwnTemporal(resources);
  const site = resources.adopt(await TaskSite.create(), (opened) => opened.remove());
  await site.sites.remove(site.siteId);
  const { launcher, counts } = countCommands();
  const dataDir = join(site.workplace.folder, 'worker');
  const repositories = resources.adopt(createRepositories({ dataDir, launcher }), (opened) =>
    opened.close(),
  );
  const clock = { days: 0 };
  const now = () => Date.now() + clock.days * DAY_MS;
  const ask = createRunningTasks({ connection, namespace, leases: unlimited });
  const asked = { times: 0 };
  const runningTasks: typeof ask = (...question) => {
    asked.times++;
    return ask(...question);
  };
  const retention = {
    ...atTime(now, createRetention(await testDatabase(), { previewRetention: 30 })),
    runningTasks,
  };
  const activities = site.bare('worker', { sites: site.sites, repositories, retention });
  const worker = { connection, namespace, activities, cacheDir: bundles, shutdownGrace: 10 };
  resources.adopt(await createWorker(worker), (running) => running.close());
  return { client, site, clock, asked, counts };
}

type PreparedSites = Awaited<ReturnType<typeof prepare>>;

async function run({ client, asked, counts }: PreparedSites, what: string) {
  Object.assign(counts, { commands: 0, most: 0 });
  asked.times = 0;
  const cpu = cpuOf(process.pid, NO_PROCESS);
  let done: unknown;
  const ms = await timed(async () => (done = await cleanUp(client)));
  const cpuMs = cpuOf(process.pid, NO_PROCESS) - cpu;
  return {
    what,
    ...(done as object),
    seconds: Number((ms / 1_000).toFixed(1)),
    'CPU ms a site': Math.round(cpuMs / (sites - hanging)),
    commands: counts.commands,
    'at once': counts.most,
    'questions to Temporal': asked.times,
  };
}

const cleanUp = (client: Client): Promise<unknown> =>
  client.workflow.execute(CLEAN_UP_WORKFLOW, {
    taskQueue: TASK_QUEUE,
    workflowId: 'clean-up',
    args: [],
  });

async function main(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const prepared = await prepare(resources);
  const { site, clock } = prepared;
  for (const url of await serveRemotes(resources, site, sites - hanging)) await site.register(url);
  const rows = [await run(prepared, 'none hangs, nothing to remove')];
  const host = resources.adopt(await hangingServer(), (server) => server.close());
  for (let n = 0; n < hanging; n++) await site.register(host.url);
  rows.push(await run(prepared, `${hanging} hang, nothing to remove`));
  clock.days = 31;
  rows.push(await run(prepared, `${hanging} hang, ${RESULTS} results of each other go`));
  console.table(rows);
}

const tooLong = setTimeout(() => {
  console.error(`Not done within ${AT_MOST_MS / 60_000} minutes`);
  process.exit(1);
}, AT_MOST_MS);
await main();
clearTimeout(tooLong);
process.exit();
