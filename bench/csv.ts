/**
 * Measures the memory of the service's own process while it checks a batch of 5,000 rows and 20 MB
 * of CSV: `node bench/csv.ts` (Linux).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endServices, startService } from '../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../test/helpers/team/site.ts';
import { noLimits } from './bench.ts';
import { timed } from './measure.ts';
import { digits } from './table.ts';

const ROWS = 5_000;
const TIMES = 4;
const SETTLES_MS = 5_000;

const service = await startService({ env: noLimits });
try {
  const { pid } = service.launched;
  const megabytes = (field: string) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  };
  const { siteId } = await TeamSite.register(service, 'csv');
  const text = 'Headline: "Web design in Porto"\nPhone: +351, 22\n'
    .repeat(76)
    .replaceAll('"', '""');
  const lines = Array.from({ length: ROWS }, (_, n) => `/locations/p${n},"${text}"`);
  const body = ['targetPageSlug,context', ...lines].join('\n');
  const query = `siteId=${siteId}&templatePageSlug=/locations/austin`;
  for (let time = 1; time <= TIMES; time++) {
    await delay(SETTLES_MS);
    const before = megabytes('VmRSS');
    writeFileSync(`/proc/${pid}/clear_refs`, '5'); // the highest value counts from now on
    const ms = await timed(async () => {
      const headers = { 'content-type': 'text/csv' };
      const reply = await service.request('POST', `/api/v1/agent/batches/check?${query}`, {
        headers,
        body,
      });
      if (reply.status !== 200) throw new Error(reply.text);
    });
    console.log(
      `${time}: ${digits(body.length / 1e6)} MB in ${digits(ms)} ms; at rest ${digits(before)} MB, most ${digits(megabytes('VmHWM'))} MB`,
    );
  }
} finally {
  await endServices();
  removeTeamSites();
}
