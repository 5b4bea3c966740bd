import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../test/helpers/database.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { removeTeamSites } from '../../test/helpers/team/site.ts';
import { connectTemporal } from '../../test/helpers/temporalClient.ts';
import { createApi, ended, noLimits, registerSites, townsBody } from '../bench.ts';
import { atOnce } from '../measure.ts';
import { residentBytes } from '../inspector.ts';
import { treeOf } from '../processTree.ts';
import { digits, type Row } from '../table.ts';

const CLIENTS = 20;
const SETTLES_MS = 5_000;

/** What `npm start` runs, with what that sets for less memory. */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: { start: string };
};
const start = (dataDir: string) =>
  startService({ dataDir, env: noLimits, command: ['/bin/sh', '-c', scripts.start] });

/** @param tasks how many one-page tasks run to their ends */
export async function memory(tasks: number): Promise<Row[]> {
  const folder = temporaryFolder();
  try {
    return await memoryIn(folder.path, tasks);
  } finally {
    folder.remove();
  }
}

async function memoryIn(dataDir: string, tasks: number): Promise<Row[]> {
  const first = await start(dataDir);
  await delay(SETTLES_MS);
  const idleAtFirst = gigabytes(first);
  await first.stop();
  const service = await start(dataDir);
  await delay(SETTLES_MS);
  const idle = gigabytes(service);
  const sites = await registerSites(service);
  await run(service, sites, Math.ceil(tasks / 4));
  await delay(SETTLES_MS);
  const quarter = gigabytes(service);
  await run(service, sites, tasks - Math.ceil(tasks / 4));
  await delay(SETTLES_MS);
  const after = gigabytes(service);
  await service.end();
  removeTeamSites();
  return [
    {
      what: 'memory idle',
      aim: '0.45 GB',
      measured: `${digits(idleAtFirst)} GB (first start), ${digits(idle)} GB`,
    },
    {
      what: 'memory after 2,000 tasks',
      aim: 'flat',
      measured: `${digits(after)} GB after ${digits(tasks)}: ${(after / quarter).toFixed(2)} times as much as after ${digits(Math.ceil(tasks / 4))}`,
    },
  ];
}

async function run(
  service: Service,
  sites: Awaited<ReturnType<typeof registerSites>>,
  tasks: number,
): Promise<void> {
  const [api, client] = [createApi(service), await connectTemporal(service)];
  let next = 0;
  await atOnce(CLIENTS, async () => {
    for (let n = next++; n < tasks; n = next++)
      await ended(client, await api.create(sites[n % sites.length]!, townsBody(1)));
  });
  await api.close();
  await client.connection.close();
}

/** What the service and its own processes have in RAM; the Temporal server is another program. */
export function gigabytes(service: Service): number {
  const own = treeOf(service.launched.pid).filter((pid) => pid !== service.temporalPid);
  return own.reduce((sum, pid) => sum + residentBytes(pid), 0) / 1024 ** 3;
}
