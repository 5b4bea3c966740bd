import { otherOrganization } from '../../test/helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../../test/helpers/team/site.ts';
import { until } from '../../test/helpers/until.ts';
import { noLimits, townsBody } from '../bench.ts';
import { median, timed } from '../measure.ts';
import { gigabytes } from './memory.ts';
import { digits, type Row } from '../table.ts';

const ROWS = 1_000;
const TASKS = 8;
const WITHIN_MS = 15 * 60_000;
const path = '/api/v1/agent/batches';

/**
 * A published batch of a thousand rows by the rules: its pages a second, its memory, and how long
 * tasks of another organization take beside it.
 */
export async function batch(): Promise<Row[]> {
  const service = await startService({ env: noLimits });
  try {
    return await measure(service);
  } finally {
    await endServices();
    removeTeamSites();
  }
}

async function measure(service: Service): Promise<Row[]> {
  const site = await TeamSite.register(service, 'batch');
  const other = await otherOrganization(service);
  const otherSite = await TeamSite.register(other, 'beside');
  const task = () => timed(() => otherSite.run(townsBody(1)));
  await runBatch(service, site, 100);
  const alone = await inTurn(task);
  const before = gigabytes(service);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, gigabytes(service))), 1_000);
  let isOver = false;
  const beside: number[] = [];
  const asking = (async () => {
    while (!isOver) beside.push(await task());
  })();
  const ms = await timed(() => runBatch(service, site, ROWS));
  isOver = true;
  await asking;
  clearInterval(watch);
  const ratio = median(beside) / median(alone);
  return [
    {
      what: `a published batch of ${digits(ROWS)} rows, beside tasks of another organization`,
      aim: '10 pages a second',
      measured: `${digits((ROWS / ms) * 1_000)} pages a second`,
    },
    {
      what: "another organization's page beside it / alone",
      aim: '1.5',
      measured: `${ratio.toFixed(2)} (${digits(median(beside))} / ${digits(median(alone))} ms)`,
    },
    {
      what: 'memory at most in it / before it',
      aim: 'flat',
      measured: `${digits(most)} / ${digits(before)} GB`,
    },
  ];
}

async function inTurn(task: () => Promise<number>): Promise<number[]> {
  const times = [];
  for (let n = 0; n < TASKS; n++) times.push(await task());
  return times;
}

async function runBatch(service: Service, { siteId }: TeamSite, count: number): Promise<void> {
  const rows = townsBody(count).items;
  const body = { siteId, templatePageSlug: '/locations/austin', rows, publish: true };
  const headers = { 'content-type': 'application/json' };
  const created = await service.request('POST', path, { headers, body: JSON.stringify(body) });
  const { batchId } = created.json as { batchId: string };
  const isDone = async () =>
    ((await service.request('GET', `${path}/${batchId}`)).json as { status: string }).status ===
    'completed';
  await until('the end of the batch', isDone, WITHIN_MS, 500);
}
