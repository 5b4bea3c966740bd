import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../test/helpers/database.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { removeTeamSites, type TeamSite } from '../../test/helpers/team/site.ts';
import { until } from '../../test/helpers/until.ts';
import { createApi, noLimits, registerSites, townsBody } from '../bench.ts';
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

/** @param tasks how many one-page tasks run to their ends, each watched by its client */
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
  const tenth = Math.ceil(tasks / 10);
  const early = await memoryAfter(service, sites, tenth);
  const late = await memoryAfter(service, sites, tasks - tenth);
  await service.end();
  removeTeamSites();
  return [
    {
      what: 'memory idle',
      aim: '0.45 GB',
      measured: `${digits(idleAtFirst)} GB (first start), ${digits(idle)} GB`,
    },
    {
      what: 'memory after 2,000 tasks / after 200',
      aim: '1.2',
      measured: `${(late / early).toFixed(2)} (${digits(late)} GB after ${digits(tasks)} / ${digits(early)} GB after ${digits(tenth)})`,
    },
  ];
}

/** @returns gigabytes after so many tasks more */
async function memoryAfter(service: Service, sites: TeamSite[], tasks: number): Promise<number> {
  const api = createApi(service);
  let next = 0;
  await atOnce(CLIENTS, async () => {
    for (let n = next++; n < tasks; n = next++) {
      const body = townsBody(1);
      // as clients do, where Temporal does not answer in time
      const create = () => api.create(sites[n % sites.length]!, body).catch(() => undefined);
      const view = await api.waitFor(await until('a task to begin', create));
      if (view.status !== 'completed') throw new Error(JSON.stringify(view));
    }
  });
  await api.close();
  await delay(SETTLES_MS);
  return gigabytes(service);
}

/** What the service and its own processes have in RAM; the Temporal server is another program. */
export function gigabytes(service: Service): number {
  const own = treeOf(service.launched.pid).filter((pid) => pid !== service.temporalPid);
  return own.reduce((sum, pid) => sum + residentBytes(pid), 0) / 1024 ** 3;
}
