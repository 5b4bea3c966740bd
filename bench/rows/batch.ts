import { setTimeout as delay } from 'node:timers/promises';
import { otherOrganization } from '../../test/helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../../test/helpers/team/site.ts';
import { noLimits, townsBody } from '../bench.ts';
import { median, timed } from '../measure.ts';
import { cpuOf, statOf } from '../processTree.ts';
import { gigabytes } from './memory.ts';
import { digits, type Row } from '../table.ts';

/** Rows of the batch beside which another organization works. */
const BESIDE = 300;
const EARLY = 100;
const TASKS = 12;
const READ_EVERY_MS = 250;
const path = '/api/v1/agent/batches';

/**
 * A published batch by the rules: its pages a second, its memory, and how long tasks of another
 * organization take beside a smaller one.
 */
export async function batch(rows: number): Promise<Row[]> {
  const service = await startService({ env: noLimits });
  try {
    return await measure(service, rows);
  } finally {
    await endServices();
    removeTeamSites();
  }
}

async function measure(service: Service, count: number): Promise<Row[]> {
  const site = await TeamSite.register(service, 'batch');
  const other = await otherOrganization(service);
  const otherSite = await TeamSite.register(other, 'beside');
  const task = () => timed(() => otherSite.run(townsBody(1)));
  await runBatch(service, site, EARLY);
  const { ms, cpu, temporal, early, most } = await measureOne(service, site, count);
  await inTurn(task, () => false);
  const alone = await inTurn(task, () => false);
  let isOver = false;
  const running = runBatch(service, site, BESIDE).finally(() => (isOver = true));
  const beside = await inTurn(task, () => isOver);
  await running;
  return [
    {
      what: `a published batch of ${digits(count)} rows`,
      aim: '10 pages a second',
      measured:
        `${digits((count / ms) * 1_000)} pages a second; CPU time of a page ` +
        `${digits(cpu / count)} ms, and ${digits(temporal / count)} of the Temporal server`,
    },
    {
      what: `memory up to its row ${digits(count)} / up to row ${EARLY}`,
      aim: 'flat',
      measured: `${(most / early).toFixed(2)} (${digits(most)} / ${digits(early)} GB)`,
    },
    {
      what: "another organization's page beside a batch / alone",
      aim: '1.5',
      measured: `${(median(beside) / median(alone)).toFixed(2)} (${digits(median(beside))} / ${digits(median(alone))} ms)`,
    },
  ];
}

async function measureOne(service: Service, site: TeamSite, count: number) {
  const { pid } = service.launched;
  const { temporalPid } = service;
  const cpuNow = () => [cpuOf(pid, temporalPid), statOf(`/proc/${temporalPid}/stat`)!.own] as const;
  const [cpu, temporal] = cpuNow();
  let [early, most] = [0, 0];
  const ms = await timed(() =>
    runBatch(service, site, count, (made) => {
      most = Math.max(most, gigabytes(service));
      if (made <= EARLY) early = most;
    }),
  );
  const [cpuAfter, temporalAfter] = cpuNow();
  return { ms, cpu: cpuAfter - cpu, temporal: temporalAfter - temporal, early, most };
}

/** Runs tasks one after the other: at least `TASKS`, unless it is over. */
async function inTurn(task: () => Promise<number>, isOver: () => boolean): Promise<number[]> {
  const times = [];
  while (times.length < TASKS && !isOver()) times.push(await task());
  return times;
}

interface View {
  status: string;
  errorMessage?: string;
  rows: { committed: number; published: number; failed: number };
}

/**
 * Runs a batch to its end.
 * @param seen is told again and again how many of its rows are committed
 */
async function runBatch(
  service: Service,
  { siteId }: TeamSite,
  count: number,
  seen: (made: number) => void = () => undefined,
): Promise<void> {
  const rows = townsBody(count).items;
  const body = { siteId, templatePageSlug: '/locations/austin', rows, publish: true };
  const headers = { 'content-type': 'application/json' };
  const created = await service.request('POST', path, { headers, body: JSON.stringify(body) });
  const { batchId } = created.json as { batchId: string };
  for (;;) {
    const view = (await service.request('GET', `${path}/${batchId}`)).json as View;
    seen(view.rows.committed + view.rows.published);
    if (view.status === 'completed' && view.rows.published === count) return;
    if (view.status !== 'running') throw new Error(`The batch ended so: ${JSON.stringify(view)}`);
    await delay(READ_EVERY_MS);
  }
}
